// Blocks an instruction while a dependence counter that it waits for is not zero (Huerta 2025, section 4). An
// instruction raises up to two of its warp's six counters. One falls when its results are written, the other
// when its sources are read. A raise shows two cycles after the issue.
//
// The wait ends: each raised counter falls when its instruction completes, which depends on no later issue of
// the warp.

#include <array>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/scheduler/memory_barriers.h"
#include "models/scheduler/partition_time.h"
#include "models/scheduler/path_changes.h"

namespace heddle {
namespace {

/// Counter of code without control bits, which every later instruction waits for.
constexpr std::uint8_t kWithoutBits = isa::kDependenceCounters;
constexpr std::uint8_t kAllCounters = (1u << isa::kDependenceCounters) - 1;
constexpr std::uint8_t kMost = 63;
constexpr Cycle kRaiseShows = 2;

class DependenceCounters final : public IssueConstraint {
 public:
  DependenceCounters(const NoParameters&, Context& context)
      : time_(context.partitions),
        paths_(context.warps),
        barriers_(context.warps),
        warps_(static_cast<std::size_t>(context.warps)) {}

  WarpSet blocked(const ConstraintView& view) override {
    const Cycle now = time_.at(static_cast<std::size_t>(view.partition), view.now);
    WarpSet blocked;
    for (const WarpId warp : view.candidates) {
      const isa::Instruction& next = *view.instructions[warp.value];
      const bool waits_for_all = !next.control.set || paths_.changed(warp, &next);
      const unsigned mask = (waits_for_all ? kAllCounters : next.control.wait_mask) | 1u << kWithoutBits;
      if (warps_[warp.value].raised(mask, now) || warps_[warp.value].full(next.control) ||
          barriers_.blocks(warp, next))
        blocked.add(warp);
    }
    return blocked;
  }
  StallReason reason() const override { return StallReason::dependence; }
  ConstraintNeeds needs() const override { return {.time = true}; }
  Cycle next_change(Cycle now) const override {
    Cycle next = kNever;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      const Cycle own = time_.now(time_.partition_of(WarpId(static_cast<std::uint32_t>(w))), now);
      for (const Cycle shows : warps_[w].shows_at)
        if (shows > own) next = std::min(next, now + shows - own);
    }
    return next;
  }
  LifeSet subscriptions() const override {
    return {Life::kernel_begins, Life::warp_begins, Life::issued,
            Life::prepared,      Life::reads_held,  Life::completed};
  }
  void kernel_begins(const KernelBegins& kernel) override {
    time_.reset();
    paths_.begin(*kernel.program);
  }
  void warp_begins(const WarpBegins& warp) override {
    warps_[warp.warp.value] = {};
    paths_.started(warp.warp);
    barriers_.started(warp.warp);
  }
  void prepared(const InFlight& item) override { time_.prepared(item); }
  void issued(const InFlight& item) override {
    paths_.issued(item);
    barriers_.issued(item);
    if (!item.collects()) return;
    const isa::ControlBits& bits = item.instruction->control;
    Warp& counters = warps_[item.warp().value];
    const Cycle now = time_.at(time_.partition_of(item.warp()), item.issued);
    for (const std::uint8_t counter : {written(bits), bits.read_counter})
      if (counter < counters.values.size() && counters.values[counter]++ == 0)
        counters.shows_at[counter] = now + kRaiseShows;
  }
  void reads_held(const InFlight& item) override { fall(item, item.instruction->control.read_counter); }
  void completed(const InFlight& item) override {
    barriers_.completed(item);
    // A barrier with a result has raised no counter: the warp waits for the result itself.
    if (item.collects()) fall(item, written(item.instruction->control));
  }

 private:
  /// Counter that falls when the results are written.
  static std::uint8_t written(const isa::ControlBits& bits) {
    return bits.set ? bits.write_counter : kWithoutBits;
  }
  struct Warp {
    std::array<std::uint8_t, isa::kDependenceCounters + 1> values{};
    /// By counter: cycle of the partition's time in which its raise from zero shows.
    std::array<Cycle, isa::kDependenceCounters + 1> shows_at{};

    bool raised(unsigned mask, Cycle now) const {
      for (std::size_t c = 0; c < values.size(); ++c)
        if (mask >> c & 1 && values[c] != 0 && shows_at[c] <= now) return true;
      return false;
    }
    bool full(const isa::ControlBits& bits) const {
      const auto at_most = [this](std::uint8_t c) { return c < values.size() && values[c] >= kMost; };
      return at_most(written(bits)) || at_most(bits.read_counter);
    }
  };
  void fall(const InFlight& item, std::uint8_t counter) {
    Warp& counters = warps_[item.warp().value];
    if (counter < counters.values.size() && counters.values[counter] != 0) --counters.values[counter];
  }

  PartitionTime time_;
  PathChanges paths_;
  MemoryBarriers barriers_;
  std::vector<Warp> warps_;
};

const Registration<IssueConstraint, DependenceCounters> dependence_counters_entry{
    "dependence-counters",
    "the dependence counters for which the compiler makes an instruction wait",
    {.kinds = {"hazard"}, .before = {"resource"}}};

const Arrays<IssueConstraint> dependence_counters_arrays{
    "dependence-counters", {{"dependence counters", "6 * warps", "6", "1R1W", {}}}};

}  // namespace
}  // namespace heddle
