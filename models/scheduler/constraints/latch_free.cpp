// Blocks an instruction in two cases: the operand stage of its partition holds an earlier instruction; the
// input latch of its unit is occupied (Huerta 2025, 5.1.1). An INT or FP unit has one latch for operations of
// fixed latency, and one for operations of variable latency. After an issue, a latch is occupied for the
// initiation interval of the unit.

#include <array>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/scheduler/partition_time.h"

namespace heddle {
namespace {

class LatchFree final : public IssueConstraint {
 public:
  LatchFree(const NoParameters&, Context& context)
      : time_(context.partitions),
        latches_(static_cast<std::size_t>(context.partitions)),
        intervals_(context.interval_cycles),
        latencies_(context.latencies) {}

  WarpSet blocked(const ConstraintView& view) override {
    const auto p = static_cast<std::size_t>(view.partition);
    if (time_.holds(p, view.now)) return view.candidates;
    const Cycle now = time_.at(p, view.now);
    WarpSet blocked;
    for (const isa::UnitClass unit : {isa::UnitClass::int_, isa::UnitClass::fp})
      for (const bool fixed : {false, true}) {
        if (latches_[p][number(unit, fixed)] <= now) continue;
        for (const WarpId warp : view.candidates& view.by_unit[index(unit)])
          if (is_fixed(*view.instructions[warp.value]) == fixed) blocked.add(warp);
      }
    return blocked;
  }
  ConstraintNeeds needs() const override { return {.time = true}; }
  Cycle next_change(Cycle now) const override {
    Cycle next = kNever;
    for (std::size_t p = 0; p < latches_.size(); ++p) {
      if (const Cycle release = time_.release(p, now); release > now) next = std::min(next, release);
      for (const Cycle free : latches_[p])
        if (const Cycle own = time_.now(p, now); free > own) next = std::min(next, now + free - own);
    }
    return next;
  }
  LifeSet subscriptions() const override { return {Life::kernel_begins, Life::issued, Life::prepared}; }
  void kernel_begins(const KernelBegins&) override {
    time_.reset();
    for (auto& latches : latches_) latches.fill(0);
  }
  void prepared(const InFlight& item) override { time_.prepared(item); }
  void issued(const InFlight& item) override {
    const isa::UnitClass unit = item.footprint->unit;
    if (!item.collects() || (unit != isa::UnitClass::int_ && unit != isa::UnitClass::fp)) return;
    const std::size_t p = time_.partition_of(item.warp());
    latches_[p][number(unit, is_fixed(*item.instruction))] =
        time_.at(p, item.issued) +
        static_cast<Cycle>(intervals_[static_cast<std::size_t>(item.footprint->op_class())]);
  }

 private:
  static std::size_t index(isa::UnitClass unit) { return static_cast<std::size_t>(unit); }
  static std::size_t number(isa::UnitClass unit, bool fixed) {
    return (unit == isa::UnitClass::fp ? 2u : 0u) + (fixed ? 1u : 0u);
  }
  bool is_fixed(const isa::Instruction& i) const { return !latencies_ || !latencies_->is_variable(i); }

  PartitionTime time_;
  /// For each partition: first cycle in which each of its four input latches (number()) is free. Cycles in
  /// which the partition is blocked do not count.
  std::vector<std::array<Cycle, 4>> latches_;
  std::array<int, static_cast<std::size_t>(isa::OpClass::count_)> intervals_;
  const isa::LatencyTable* latencies_;
};

const Registration<IssueConstraint, LatchFree> latch_free_entry{
    "latch-free",
    "an operand stage that holds nothing, and a free input latch of the unit",
    {.kinds = {"resource"}, .before = {"unit-gated"}}};

const Arrays<IssueConstraint> latch_free_arrays{"latch-free", {}};

}  // namespace
}  // namespace heddle
