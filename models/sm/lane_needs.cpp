#include "models/sm/lane_needs.h"

#include "models/core/error.h"

namespace heddle {

LaneNeeds::LaneNeeds(int warps, bool in_parts) : in_parts_(in_parts) {
  for (std::vector<LaneMask>& needed : needed_) needed.resize(static_cast<std::size_t>(warps));
}

void LaneNeeds::foresee(ConstraintView& view, WarpSet candidates) {
  std::vector<LaneMask>& needed = needed_[static_cast<std::size_t>(view.slot)];
  for (std::size_t u = 0; u < view.units.size(); ++u) {
    if (!view.units[u].lanes) continue;
    LanePlanView last{view.now, static_cast<std::size_t>(view.partition), {}, {}, 0};
    LaneMask lanes = 0;
    for (const WarpId id : candidates& view.by_unit[u]) {
      const isa::Instruction& instruction = *view.instructions[id.value];
      const LaneMask active = view.warps[id.value].active;
      if (active != last.threads || instruction.op_class != last.op_class || instruction.unit != last.unit) {
        last.unit = instruction.unit;
        last.op_class = instruction.op_class;
        last.threads = active;
        lanes = planner_ && may_move_lanes(last.unit, last.op_class) ? planner_->lanes(last) : active;
      }
      needed[id.value] = lanes;
    }
  }
  view.lanes = needed;
}

const LanePlan* LaneNeeds::query(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                                 LaneMask threads, LanePlan& storage) const {
  const LanePlan* planned =
      planner_->plan({now, partition, footprint.unit, footprint.op_class(), threads}, storage);
  if (planned && !planner_->proven() && !planned->serves(threads))
    throw InternalError("a lane plan does not execute each of its threads once");
  return planned;
}

}  // namespace heddle
