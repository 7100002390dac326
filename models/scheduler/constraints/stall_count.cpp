// Blocks a warp for the stall count of its last instruction (Huerta 2025, section 4). The compiler has set this
// stall count. The largest stall applies to instructions without control bits, which hardware inserts. The
// largest stall also applies when the warp changes to another path without a branch (.target sm_70 and above),
// because the compiler cannot know of this change.

#include "models/core/error.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/constraints/warp_points.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/scheduler/partition_time.h"
#include "models/scheduler/path_changes.h"

namespace heddle {
namespace {

/// Returns the cycles from the issue of an instruction to the next issue of its warp. The cases, and the
/// numbers 45, 2 and 11, were measured on real GPUs (Huerta 2025, section 4): without `yield`, a stall count
/// above 11 stalls for 2 cycles only; with `yield` and stall count 0, the warp stalls for 45 cycles.
Cycle cycles_of(const isa::ControlBits& bits) {
  constexpr Cycle kYieldAlone = 45, kWithoutYield = 2;
  constexpr int kMostWithoutYield = 11;
  if (!bits.set) return isa::kLargestStall;
  if (bits.yield) return bits.stall == 0 ? kYieldAlone : std::max<Cycle>(bits.stall, 2);
  if (bits.stall > kMostWithoutYield) return kWithoutYield;
  return std::max<Cycle>(bits.stall, 1);
}

class StallCount final : public IssueConstraint {
 public:
  StallCount(const NoParameters&, Context& context)
      : time_(context.partitions),
        paths_(context.warps),
        next_(static_cast<std::size_t>(context.warps)),
        points_(context) {}

  WarpSet blocked(const ConstraintView& view) override {
    const Cycle now = time_.at(static_cast<std::size_t>(view.partition), view.now);
    WarpSet blocked;
    for (const WarpId warp : view.candidates) {
      const bool changed = paths_.changed(warp, view.instructions[warp.value]);
      if (stalled(warp, changed, now)) blocked.add(warp);
    }
    if (points_.any()) observe(view, now, blocked);
    return blocked;
  }
  const char* own_reason() const override { return "stall-count"; }
  ConstraintNeeds needs() const override { return {.time = true}; }
  Cycle next_change(Cycle now) const override {
    Cycle next = kNever;
    for (std::size_t w = 0; w < next_.size(); ++w) {
      const Cycle own = time_.now(time_.partition_of(WarpId(static_cast<std::uint32_t>(w))), now);
      for (const Cycle cycle : {next_[w].cycle, next_[w].after_change})
        if (cycle > own) next = std::min(next, now + cycle - own);
    }
    return next;
  }
  LifeSet subscriptions() const override {
    return {Life::kernel_begins, Life::warp_begins, Life::issued, Life::prepared};
  }
  void kernel_begins(const KernelBegins& kernel) override {
    const auto& code = kernel.program->code;
    if (std::none_of(code.begin(), code.end(), [](const isa::Instruction& i) { return i.control.set; }))
      throw Error(kernel.program->file,
                  "kernel " + kernel.program->kernel + " has no control bits, which this machine needs",
                  "the compiler pass control-bits, or the constraint scoreboard in place of stall-count");
    time_.reset();
    paths_.begin(*kernel.program);
    std::fill(next_.begin(), next_.end(), Next{});
  }
  void warp_begins(const WarpBegins& warp) override {
    next_[warp.warp.value] = {};
    paths_.started(warp.warp);
    if (points_.any()) points_.begins(warp.warp);
  }
  void prepared(const InFlight& item) override { time_.prepared(item); }
  void issued(const InFlight& item) override {
    const Cycle now = time_.at(time_.partition_of(item.warp()), item.issued);
    next_[item.warp().value] = {now + cycles_of(item.instruction->control), now + isa::kLargestStall};
    paths_.issued(item);
    if (points_.any()) points_.events(item.warp()).issued = &item.instruction->control;
  }
  void probes(const ProbeScope& scope) override { points_.probes(scope); }

 private:
  /// First cycle in which the warp may issue, in the cycle count of PartitionTime, which leaves out blocked
  /// cycles. `cycle`: if the warp stays on its path. `after_change`: if the warp changes to another path.
  struct Next {
    Cycle cycle = 0, after_change = 0;
  };
  bool stalled(WarpId warp, bool changed, Cycle now) const {
    const Next& next = next_[warp.value];
    return now < (changed ? next.after_change : next.cycle);
  }
  void observe(const ConstraintView& view, Cycle now, WarpSet& blocked) {
    points_.observe(
        view, blocked,
        [&](WarpId warp, StallPoint::View& at) {
          at.held = time_.holds(static_cast<std::size_t>(view.partition), view.now);
          at.changed = view.candidates.contains(warp) && paths_.changed(warp, view.instructions[warp.value]);
          return stalled(warp, at.changed, now);
        },
        [](WarpId, bool answer) { return answer; });
  }

  PartitionTime time_;
  PathChanges paths_;
  std::vector<Next> next_;
  WarpPoints<StallPoint> points_;
};

const Registration<IssueConstraint, StallCount> stall_count_entry{
    "stall-count",
    "the stall count and yield bit that the compiler set",
    {.kinds = {"hazard"}, .before = {"resource"}}};

const Arrays<IssueConstraint> stall_count_arrays{"stall-count",
                                                 {{"stall counters", "warps", "4", "1R1W", {}}}};

}  // namespace
}  // namespace heddle
