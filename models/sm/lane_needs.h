#pragma once

// The lanes that instructions execute in: planned when they issue, and foreseen where units take
// instructions by lanes, so that constraints, and what makes units available, know which lanes are needed.

#include <array>
#include <span>
#include <vector>

#include "models/isa/lane_planner.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class LaneNeeds {
 public:
  /// `in_parts`: some units take instructions by lanes.
  LaneNeeds(int warps, bool in_parts);

  /// nullptr: each thread in its own lane.
  void set_planner(LanePlanner* planner) {
    planner_ = planner;
    plans_ = planner != nullptr;
  }
  /// Lanes of a unit class that only instructions use that stay in their own lanes.
  LaneMask spared(std::size_t partition, isa::UnitClass unit) const {
    return planner_ ? planner_->spared(partition, unit) : 0;
  }
  const LanePlan* plan(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                       LaneMask threads, LanePlan& storage) const {
    return plans_ && may_move_lanes(footprint.unit, footprint.op_class)
               ? ask(now, partition, footprint, threads, storage)
               : nullptr;
  }

  /// Some units take instructions by lanes.
  bool listens() const { return in_parts_; }
  /// Notes the lanes that these of the view's candidates would use, for classes whose units take instructions by lanes.
  /// Planned for the threads on the path: a guard may leave fewer of them, which need no other lanes.
  void note(ConstraintView& view, WarpSet candidates) {
    if (in_parts_) foresee(view, candidates);
  }
  /// Lanes of a warp's head instruction, if it was in the last note() of heads.
  LaneMask of_head(WarpId warp) const { return needed_[0][warp.value]; }

 private:
  const LanePlan* ask(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                      LaneMask threads, LanePlan& storage) const;
  void foresee(ConstraintView& view, WarpSet candidates);

  bool in_parts_;
  bool plans_ = false;  ///< there is a planner
  LanePlanner* planner_ = nullptr;
  std::array<std::vector<LaneMask>, 2> needed_;  ///< by place of the instruction and warp
};

}  // namespace heddle
