#pragma once

// Computes the lanes in which instructions execute. plan() serves an instruction that issues. note() serves
// candidates, if units accept instructions by lanes. Constraints and UnitAvailability then use the noted
// lanes.

#include <array>
#include <span>
#include <vector>

#include "models/isa/lane_planner.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class LaneNeeds {
 public:
  /// `in_parts`: some units accept instructions by lanes.
  LaneNeeds(int warps, bool in_parts);

  /// Sets the planner; nullptr: each thread stays in its own lane.
  void set_planner(LanePlanner* planner) {
    planner_ = planner;
    plans_ = planner != nullptr;
  }
  /// Lanes of a unit class that are used only by instructions that stay in their own lanes.
  LaneMask spared(std::size_t partition, isa::UnitClass unit) const {
    return planner_ ? planner_->spared(partition, unit) : 0;
  }
  const LanePlan* plan(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                       LaneMask threads, LanePlan& storage) const {
    return plans_ && may_move_lanes(footprint.unit, footprint.op_class)
               ? query(now, partition, footprint, threads, storage)
               : nullptr;
  }

  /// True if some units accept instructions by lanes.
  bool listens() const { return in_parts_; }
  /// Computes the lanes that these candidates of the view would use, for classes whose units accept
  /// instructions by lanes. The result assumes all threads on the path. A guard may disable some threads,
  /// which needs no other lanes.
  void note(ConstraintView& view, WarpSet candidates) {
    if (in_parts_) foresee(view, candidates);
  }
  /// Lanes of a warp's head instruction, if the last note() for heads included the warp.
  LaneMask of_head(WarpId warp) const { return needed_[0][warp.value]; }

 private:
  const LanePlan* query(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                        LaneMask threads, LanePlan& storage) const;
  void foresee(ConstraintView& view, WarpSet candidates);

  bool in_parts_;
  bool plans_ = false;  ///< there is a planner
  LanePlanner* planner_ = nullptr;
  std::array<std::vector<LaneMask>, 2> needed_;  ///< by position of the instruction (head or second) and warp
};

}  // namespace heddle
