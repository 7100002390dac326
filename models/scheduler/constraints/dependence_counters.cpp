// Blocks an instruction while a dependence counter that it waits for is not zero (Huerta 2025, section 4). An
// instruction increments up to two of its warp's six counters in the Control stage, one cycle after its
// issue. Other instructions see the increment two cycles after the issue. One counter is decremented when the
// results are written, the other when the sources are read.
//
// Every wait ends: an incremented counter is decremented when its instruction completes. This completion does
// not depend on any later issue of the warp.

#include <array>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/constraints/warp_points.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/scheduler/memory_barriers.h"
#include "models/scheduler/path_changes.h"

namespace heddle {
namespace {

/// Number of an additional counter, which instructions without control bits increment. Every later
/// instruction of the warp waits until this counter is zero.
constexpr std::uint8_t kWithoutBits = isa::kDependenceCounters;
constexpr std::uint8_t kAllCounters = (1u << isa::kDependenceCounters) - 1;
constexpr std::uint8_t kMost = 63;
constexpr Cycle kRaiseShows = 2;

class DependenceCounters final : public IssueConstraint {
 public:
  DependenceCounters(const NoParameters&, Context& context)
      : paths_(context.warps),
        barriers_(context.warps),
        warps_(static_cast<std::size_t>(context.warps)),
        points_(context) {}

  WarpSet blocked(const ConstraintView& view) override {
    WarpSet blocked;
    for (const WarpId warp : view.candidates) {
      const isa::Instruction& next = *view.instructions[warp.value];
      const Warp& counters = warps_[warp.value];
      const Raised raises = counters_of(next.control);
      if (counters.raised(mask_of(warp, next), view.now) || counters.full(raises) ||
          waits_without_bits(warp, next, view.now))
        blocked.add(warp);
    }
    if (points_.any()) observe(view, blocked);
    return blocked;
  }
  StallReason reason() const override { return StallReason::dependence; }
  ConstraintNeeds needs() const override { return {.time = true}; }
  Cycle next_change(Cycle now) const override {
    Cycle next = kNever;
    for (const Warp& warp : warps_)
      if (warp.shows_at > now) next = std::min(next, warp.shows_at);
    return next;
  }
  LifeSet subscriptions() const override {
    return {Life::kernel_begins, Life::warp_begins, Life::issued, Life::reads_held, Life::completed};
  }
  void kernel_begins(const KernelBegins& kernel) override { paths_.begin(*kernel.program); }
  void warp_begins(const WarpBegins& warp) override {
    warps_[warp.warp.value] = {};
    paths_.started(warp.warp);
    barriers_.started(warp.warp);
    if (points_.any()) points_.begins(warp.warp);
  }
  void issued(const InFlight& item) override {
    paths_.issued(item);
    barriers_.issued(item);
    if (!item.collects()) return;
    warps_[item.warp().value].raise(counters_of(item.instruction->control), item.issued + kRaiseShows);
  }
  void reads_held(const InFlight& item) override { fall(item, item.instruction->control.read_counter); }
  void completed(const InFlight& item) override {
    barriers_.completed(item);
    // Do not decrement for a barrier with a result: it has not incremented a counter, because MemoryBarriers
    // makes the warp wait for the result.
    if (item.collects()) fall(item, counters_of(item.instruction->control)[0]);
  }
  void probes(const ProbeScope& scope) override { points_.probes(scope); }

 private:
  /// Counters that an instruction increments: [0] is decremented when the results are written, [1] when the
  /// sources are read.
  using Raised = std::array<std::uint8_t, 2>;
  static Raised counters_of(const isa::ControlBits& bits) {
    return {bits.set ? bits.write_counter : kWithoutBits, bits.read_counter};
  }
  struct Warp {
    /// Value of each counter: increments of all issued instructions minus decrements.
    std::array<std::uint8_t, isa::kDependenceCounters + 1> values{};
    /// Counters that the last issued instruction increments. Other instructions see this increment from cycle
    /// `shows_at` on.
    Raised last{isa::ControlBits::kNoCounter, isa::ControlBits::kNoCounter};
    Cycle shows_at = 0;

    void raise(const Raised& counters, Cycle shows) {
      bool any = false;
      for (const std::uint8_t counter : counters)
        if (counter < values.size()) any = true, ++values[counter];
      if (any) last = counters, shows_at = shows;
    }
    std::uint8_t shown(std::size_t c, Cycle now) const {
      if (now >= shows_at) return values[c];
      return static_cast<std::uint8_t>(values[c] - (last[0] == c) - (last[1] == c));
    }
    bool raised(unsigned mask, Cycle now) const {
      for (std::size_t c = 0; c < values.size(); ++c)
        if (mask >> c & 1 && shown(c, now) != 0) return true;
      return false;
    }
    bool full(const Raised& counters) const {
      return std::any_of(counters.begin(), counters.end(),
                         [this](std::uint8_t c) { return c < kWithoutBits && values[c] >= kMost; });
    }
  };
  /// Returns the bit mask of the counters that must be zero before the instruction may issue.
  unsigned mask_of(WarpId warp, const isa::Instruction& next) const {
    const bool waits_for_all = !next.control.set || paths_.changed(warp, &next);
    return waits_for_all ? kAllCounters : next.control.wait_mask;
  }
  void fall(const InFlight& item, std::uint8_t counter) {
    Warp& counters = warps_[item.warp().value];
    if (counter >= counters.values.size() || counters.values[counter] == 0) return;
    --counters.values[counter];
    if (points_.any() && counter != kWithoutBits) ++points_.events(item.warp()).falls[counter];
  }
  /// True if the warp must wait for a reason that the six counters do not cover: instructions without control
  /// bits, or a barrier.
  bool waits_without_bits(WarpId warp, const isa::Instruction& next, Cycle now) const {
    const Warp& counters = warps_[warp.value];
    const bool full = !next.control.set && counters.values[kWithoutBits] >= kMost;
    return full || counters.raised(1u << kWithoutBits, now) || barriers_.blocks(warp, next);
  }
  void observe(const ConstraintView& view, WarpSet& blocked);

  PathChanges paths_;
  MemoryBarriers barriers_;
  std::vector<Warp> warps_;
  WarpPoints<DependencePoint> points_;
};

void DependenceCounters::observe(const ConstraintView& view, WarpSet& blocked) {
  points_.observe(
      view, blocked,
      [&](WarpId warp, DependencePoint::View& at) {
        const Warp& counters = warps_[warp.value];
        DependencePoint::Answer answer;
        if (view.now < counters.shows_at) at.control = counters.last;
        for (std::size_t c = 0; c < answer.counts.size(); ++c) answer.counts[c] = counters.shown(c, view.now);
        at.candidate = view.candidates.contains(warp);
        if (!at.candidate) return answer;
        const isa::Instruction& next = *view.instructions[warp.value];
        at.next = counters_of(next.control);
        at.mask = mask_of(warp, next);
        answer.waits = counters.raised(at.mask, view.now);
        answer.full = counters.full(at.next);
        return answer;
      },
      [&](WarpId warp, const DependencePoint::Answer& answer) {
        return answer.waits || answer.full ||
               waits_without_bits(warp, *view.instructions[warp.value], view.now);
      });
}

const Registration<IssueConstraint, DependenceCounters> dependence_counters_entry{
    "dependence-counters",
    "the dependence counters for which the compiler makes an instruction wait",
    {.kinds = {"hazard"}, .before = {"resource"}}};

const Arrays<IssueConstraint> dependence_counters_arrays{
    "dependence-counters", {{"dependence counters", "6 * warps", "6", "1R1W", {}}}};

}  // namespace
}  // namespace heddle
