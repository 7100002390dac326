#pragma once

// Computes the lanes in which instructions execute. A lane planner may move threads to other lanes. plan()
// serves an instruction that issues. note() serves candidates for issue, if units accept instructions only in
// some lanes. Constraints and UnitAvailability then use the lanes that note() has stored.

#include <array>
#include <span>
#include <vector>

#include "models/isa/lane_planner.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class LaneNeeds {
 public:
  /// `in_parts`: true if some units accept instructions only in some of their lanes.
  LaneNeeds(int warps, bool in_parts);

  /// Sets the lane planner. nullptr: each thread stays in its own lane.
  void set_planner(LanePlanner* planner) {
    planner_ = planner;
    plans_ = planner != nullptr;
  }
  /// Returns the lanes of a unit class that only instructions without moved threads use.
  LaneMask spared(std::size_t partition, isa::UnitClass unit) const {
    return planner_ ? planner_->spared(partition, unit) : 0;
  }
  const LanePlan* plan(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                       LaneMask threads, LanePlan& storage) const {
    return plans_ && may_move_lanes(footprint.unit, footprint.op_class)
               ? query(now, partition, footprint, threads, storage)
               : nullptr;
  }

  /// Returns true if some units accept instructions only in some of their lanes.
  bool listens() const { return in_parts_; }
  /// Computes and stores the lanes that the next instructions of these candidates would use, for unit classes
  /// that accept instructions by lanes. All threads on the warp's path count. A guard may disable some
  /// threads, but the instruction then needs no additional lanes.
  void note(ConstraintView& view, WarpSet candidates) {
    if (in_parts_) foresee(view, candidates);
  }
  /// Returns the lanes that the warp's next instruction needs, if the last note() for next instructions
  /// included the warp.
  LaneMask of_head(WarpId warp) const { return needed_[0][warp.value]; }

 private:
  const LanePlan* query(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                        LaneMask threads, LanePlan& storage) const;
  void foresee(ConstraintView& view, WarpSet candidates);

  bool in_parts_;
  bool plans_ = false;  ///< true: planner_ is not nullptr
  LanePlanner* planner_ = nullptr;
  /// stored lanes: element 0 for the next instruction of each warp, element 1 for the instruction after it
  std::array<std::vector<LaneMask>, 2> needed_;
};

}  // namespace heddle
