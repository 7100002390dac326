#pragma once

// Connects the power domains of an SM's execution units with the issue stage. A unit accepts instructions if
// its domains have power. Issued instructions keep their domains in use. In every cycle, the gating policies
// receive the number of instructions that wait for their units.

#include <array>

#include "models/exec/unit_parameters.h"
#include "models/gating/sm_power_domains.h"
#include "models/ports/unit_availability.h"
#include "models/ports/warp_homes.h"
#include "models/time/clock.h"

namespace heddle {

class IssuePower final : public UnitAvailability {
 public:
  struct Wiring {
    const GatingParameters* gating = nullptr;
    const UnitParameters* units = nullptr;
    int partitions = 1;
    int slots = 1;
    /// Number of cycles of its latency that an instruction spends outside its unit. A latency runs from the
    /// issue of an instruction to the issue of a dependent instruction.
    int pipeline_overhead = 0;
    int shift_cycles = 0;
    const Clock* clock = nullptr;
    WarpHomes homes;
    StatsScope stats;
  };
  explicit IssuePower(const Wiring& wiring);

  SmPowerDomains& domains() { return domains_; }

  void begin_kernel(Cycle cycle) override;
  bool advance(Cycle now) override;
  UnitSet preferred(Cycle now, std::size_t partition, const InFlight& item, UnitSet able) override {
    return rule_->choices(now, use_of(partition, item), able);
  }
  void use(Cycle now, std::size_t partition, const InFlight& item) override {
    const std::size_t c = item.footprint->timing;
    UnitDomains& domains = domains_.of(partition, item.footprint->unit);
    if (item.cluster < 0) {
      domains.use(now, 0, item.lanes, 0);
    } else {
      const Cycle passes = item.plan ? static_cast<Cycle>(item.plan->passes) : 1;
      domains.use(now, item.cluster, item.lanes, own_cycles_[c] + (passes - 1) * interval_[c]);
      if (rule_) rule_->issued(now, use_of(partition, item));
    }
    renew_next_change();
  }
  void leave(Cycle now, std::size_t partition, const InFlight& item) override {
    domains_.of(partition, item.footprint->unit).left(now, item.cluster < 0 ? 0 : item.cluster, item.lanes);
    renew_next_change();
  }
  /// Ends an instruction's use of its power domains. The life event `left` comes in the last cycle of the
  /// instruction in its unit, and the use ends one cycle later.
  void left(const InFlight& item) override { leave(clock_->now() + 1, homes_.partition(item.warp()), item); }
  void set_demand(Cycle now) override;

  // Subscribes to `dispatched` if a technique delays instructions between their collector and their unit.
  LifeSet subscriptions() const override { return rule_ ? LifeSet{Life::dispatched} : LifeSet{}; }
  void dispatched(const InFlight& item) override {
    rule_->entered(clock_->now() - 1, use_of(homes_.partition(item.warp()), item));
  }

  std::unique_ptr<InstructionTap> tap(const std::string& prefix, std::size_t partition) override;
  const LaneMask* lanes_on(std::size_t partition, isa::UnitClass unit) const override {
    return domains_.of(partition, unit).lanes_awake();
  }
  Cycle longest_wait() const override { return domains_.longest_wait_for_parts(); }
  void settle(Cycle cycle) override;
  void check_conservation() const override { domains_.check_conservation(); }
  void probes(const ProbeScope& scope) override { domains_.probes(scope); }

 private:
  static UnitUse use_of(std::size_t partition, const InFlight& item) {
    return {partition, item.footprint->unit, item.lanes, item.cluster < 0 ? 0 : item.cluster};
  }
  void renew_units();
  void renew_next_change() {
    if (varies()) next_change_ = changes_ != domains_.changes() ? 0 : domains_.next_change();
  }

  SmPowerDomains domains_;
  UnitRule* rule_;
  int slots_;
  const Clock* clock_;
  WarpHomes homes_;
  /// Both arrays are indexed by isa::timing_index(). `own_cycles_`: number of cycles for which a pipeline
  /// works on one instruction. `interval_`: number of cycles that each additional pass of an instruction
  /// takes, if a lane plan splits the instruction into passes.
  std::array<Cycle, isa::kTimings> own_cycles_{}, interval_{};
  std::uint64_t changes_ = 0;
};

}  // namespace heddle
