#pragma once

// Computes the lanes in which instructions execute. A lane planner may move threads to other lanes.

#include <array>
#include <span>
#include <vector>

#include "models/isa/lane_planner.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class LaneNeeds {
 public:
  LaneNeeds(int warps, bool in_parts);

  void set_planner(LanePlanner* planner) {
    planner_ = planner;
    plans_ = planner != nullptr;
  }
  LaneMask spared(std::size_t partition, isa::UnitClass unit) const {
    return planner_ ? planner_->spared(partition, unit) : 0;
  }
  const LanePlan* plan(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                       LaneMask threads, LanePlan& storage) const {
    return plans_ && may_move_lanes(footprint.unit, footprint.op_class())
               ? query(now, partition, footprint, threads, storage)
               : nullptr;
  }

  bool listens() const { return in_parts_; }
  /// Stores in `view` the lanes that the candidates' next instructions would use, including lanes of threads
  /// that a guard may disable.
  void note(ConstraintView& view, WarpSet candidates) {
    if (in_parts_) foresee(view, candidates);
  }
  LaneMask of_head(WarpId warp) const { return needed_[0][warp.value]; }

 private:
  const LanePlan* query(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                        LaneMask threads, LanePlan& storage) const;
  void foresee(ConstraintView& view, WarpSet candidates);

  bool in_parts_;
  bool plans_ = false;
  LanePlanner* planner_ = nullptr;
  std::array<std::vector<LaneMask>, 2> needed_;
};

}  // namespace heddle
