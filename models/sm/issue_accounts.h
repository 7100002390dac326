#pragma once

// Counters of the issue stage: instructions by kind, and issue slots. A slot is used, or idle for one reason.
// For speed, instructions are first counted by position in the program.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "models/core/indexed_vector.h"
#include "models/core/stats.h"
#include "models/core/unit_view.h"
#include "models/core/warp_set.h"
#include "models/isa/instruction_footprint.h"

namespace heddle {

class IssueAccounts {
 public:
  /// `reasons`: names of the stall reasons, indexed by reason number. `matrix_units`: true if the SM has
  /// matrix units.
  IssueAccounts(const StatsScope& stats, int schedulers, int issue_width, bool matrix_units,
                const std::vector<std::string>& reasons);

  /// Adds counters for the stall reasons in `reasons` that the constructor did not receive.
  void add_reasons(const StatsScope& stats, const std::vector<std::string>& reasons);
  /// Begins a kernel: counts issue slots from `cycle` on. `footprints`: registers and units that each
  /// instruction of the program uses, indexed by pc.
  void begin(Cycle cycle, std::span<const InstructionFootprint> footprints);
  void issued(std::uint32_t pc, LaneMask mask) {
    ++instructions;
    ++issued_[pc];
    if (mask != kAllLanes) issued_in_part(pc, mask);
  }
  void sent_result(const InstructionFootprint& instruction);
  /// Brings the counters up to date: adds the instructions that were counted by program position. The
  /// counters are then exact up to the last end_cycle() or settle().
  void sum_up();
  /// Counts the issue slots of a scheduler in one cycle: `issued` slots are used, and all others are idle for
  /// `reason`.
  void slots(std::size_t scheduler, int issued, std::size_t reason) {
    const auto count = static_cast<std::uint64_t>(issued);
    *schedulers_[scheduler].issued += count;
    slots_ += count;
    if (count < width_) idle(scheduler, reason, width_ - count);
  }

  /// Counts slots and warp-cycles for all cycles before `cycle`. No instruction must have issued in the
  /// cycles that are not counted yet. `reason_of(scheduler)`: returns the reason why a scheduler was idle.
  template <class ReasonOf>
  void settle(Cycle cycle, ReasonOf&& reason_of) {
    if (cycle <= accounted_to_) return;
    const Cycle gap = cycle - accounted_to_;
    accounted_to_ = cycle;
    for (std::size_t s = 0; s < schedulers_.size(); ++s) idle(s, reason_of(s), gap * width_);
  }
  void end_cycle(Cycle cycle, WarpSet resident, WarpSet active) {
    set_warps(cycle, resident, active);
    accounted_to_ = cycle + 1;
  }
  void set_warps(Cycle cycle, WarpSet resident, WarpSet active) { warps_.set(cycle, resident, active); }

  /// Throws InternalError unless issued instructions = completed instructions + in_flight, and issue slots =
  /// used slots + idle slots.
  void check_conservation(const std::string& owner, std::uint64_t in_flight) const;

  Counter &instructions, &completed, &guarded_off, &branches, &divergent_branches, &barriers,
      &barrier_wait_cycles;

 private:
  struct Scheduler {
    Counter* issued = nullptr;
    std::vector<Counter*> idle;
  };
  /// Instructions that were issued with only some lanes (`in_part`), and those among them without a lane (`off`).
  struct Partial {
    std::uint64_t in_part = 0, off = 0;
  };
  /// Counters of warp-cycles: numbers of resident and active warps, summed over the cycles.
  class WarpCycles {
   public:
    explicit WarpCycles(const StatsScope& stats);
    void begin(Cycle cycle) { counted_to_ = cycle; }
    void set(Cycle cycle, WarpSet resident, WarpSet active) {
      if (resident != resident_ || active != active_) change(cycle, resident, active);
    }
    void count_to(Cycle cycle);

   private:
    void change(Cycle cycle, WarpSet resident, WarpSet active);

    Counter &active_cycles_, &resident_cycles_;
    WarpSet resident_ = 0, active_ = 0;
    std::uint64_t resident_count_ = 0, active_count_ = 0;
    Cycle counted_to_ = 0;
  };
  void issued_in_part(std::uint32_t pc, LaneMask mask);
  void idle(std::size_t scheduler, std::size_t reason, std::uint64_t slots) {
    *schedulers_[scheduler].idle[reason] += slots;
    slots_ += slots;
  }

  Counter &thread_instructions_, &overhead_, &source_words_, &result_words_, &pair_words_;
  WarpCycles warps_;
  Counter& slots_;
  std::array<Counter*, kUnitClasses> by_unit_{};
  std::array<Counter*, 7> by_lanes_{};
  std::array<Counter*, static_cast<std::size_t>(isa::OpClass::count_)> by_class_{};
  std::vector<Counter*> notes_;
  std::vector<Scheduler> schedulers_;
  std::span<const InstructionFootprint> footprints_;
  /// Counts since the last sum_up(), indexed by pc. Two arrays, because most instructions issue with all lanes
  /// and count only in the first one, which then takes fewer cache lines of the host.
  std::vector<std::uint64_t> issued_;
  std::vector<Partial> partial_;
  std::uint64_t width_;
  Cycle accounted_to_ = 0;
  /// Results of barrier reductions. They count as completed, but not as issued instructions.
  std::uint64_t results_of_barriers_ = 0;
};

}  // namespace heddle
