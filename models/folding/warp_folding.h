#pragma once

// Models warp folding of an SM: an instruction executes in two passes on half of its lanes. In each
// partition, a fold policy decides whether instructions are folded. models/exec/lane_fold.h assigns threads
// to lanes.

#include <memory>
#include <vector>

#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/exec/lane_fold.h"
#include "models/folding/folding_parameters.h"
#include "models/folding/i_fold_policy.h"
#include "models/ports/lane_plans.h"
#include "models/ports/warp_homes.h"
#include "models/time/clock.h"

namespace heddle {

struct FoldOwner {
  ConfigNode policy;
  int slots = 1;
};
struct FoldPoint {
  using Owner = FoldOwner;
  using View = FoldProbeView;
  using Answer = FoldDecision;
};

class WarpFolding final : public LanePlans, public LanePlanner {
 public:
  struct Wiring {
    const FoldingParameters* parameters = nullptr;
    int partitions = 1;
    int slots = 1;
    bool every_cycle = false;
    StatsScope stats;
    const Clock* clock = nullptr;
    WarpHomes homes{};
  };
  explicit WarpFolding(const Wiring& wiring);

  LanePlanner* planner() override { return this; }
  LaneMoves moves() const override { return moves_; }
  LifeSet subscriptions() const override {
    return {Life::kernel_begins, Life::warp_begins, Life::warp_ends, Life::issued};
  }
  void kernel_begins(const KernelBegins& kernel) override { begin(kernel.cycle); }
  void warp_begins(const WarpBegins&) override {
    if (warps_++ == 0) warps_start(clock_->now());
  }
  void warp_ends(WarpId) override {
    if (--warps_ == 0) warps_end(clock_->now());
  }
  void issued(const InFlight& item) override { ++partitions_[homes_.partition(item.warp())]->issued; }
  void show(const LanePlansView& view) override;
  void check(Cycle longest_wait) const override;

  Cycle steady_cycles() const;
  /// Called when a kernel begins in `cycle`, while no warp is on the SM.
  void begin(Cycle cycle);
  /// warps_start(): called when the first warp starts in cycle `now`. warps_end(): called when the last warp
  /// has ended. Only cycles between these two calls are counted.
  void warps_start(Cycle now);
  void warps_end(Cycle now);
  /// Sets the numbers of active INT and FP warps of a partition for cycle `now`. In cycles without a call,
  /// both numbers are 0.
  void update(Cycle now, std::size_t partition, int int_count, int fp_count);
  void settle(Cycle cycle) override;

  const LanePlan* plan(const LanePlanView& view, LanePlan& storage) override {
    return arithmetic(view.unit) ? fold_plan(view.threads, rules(view.partition, view.unit), storage)
                                 : nullptr;
  }
  LaneMask lanes(const LanePlanView& view) override {
    return arithmetic(view.unit) ? fold_lanes(view.threads, rules(view.partition, view.unit)) : view.threads;
  }
  LaneMask spared(std::size_t partition, isa::UnitClass unit) const override {
    return arithmetic(unit) && rules(partition, unit).fold ? kUpperOfQuads : 0;
  }
  bool proven() const override { return true; }

  void probes(std::size_t partition, const ProbeScope& of_partition) override;

 private:
  struct Partition {
    explicit Partition(const FoldOwner& o) : owner(o) {}
    FoldOwner owner;
    Probe<FoldPoint> probe{owner};
    std::unique_ptr<FoldPolicy> policy;
    FoldRules int_, fp;
    Cycle again = kNever, accounted = 0, began = 0;
    std::uint64_t issued = 0;
    Counter *int_cycles = nullptr, *fp_cycles = nullptr, *phases_off = nullptr;
  };
  static bool arithmetic(isa::UnitClass unit) {
    return unit == isa::UnitClass::int_ || unit == isa::UnitClass::fp;
  }
  const FoldRules& rules(std::size_t partition, isa::UnitClass unit) const {
    const Partition& p = *partitions_[partition];
    return unit == isa::UnitClass::int_ ? p.int_ : p.fp;
  }
  void decide(Partition& partition, const FoldView& view);
  void account(Partition& partition, Cycle cycle);

  LaneMoves moves_;
  bool every_cycle_, accounts_ = false;
  const Clock* clock_;
  WarpHomes homes_;
  int warps_ = 0;
  std::vector<std::unique_ptr<Partition>> partitions_;
};

}  // namespace heddle
