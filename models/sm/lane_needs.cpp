#include "models/sm/lane_needs.h"

#include "models/core/error.h"

namespace heddle {

LaneNeeds::LaneNeeds(const WarpTable& warps, const InstructionBuffers& buffers, bool in_parts)
    : warps_(warps), buffers_(buffers), in_parts_(in_parts) {
  for (std::vector<LaneMask>& needed : needed_) needed.resize(static_cast<std::size_t>(warps.slots()));
}

void LaneNeeds::foresee(ConstraintView& view) {
  std::vector<LaneMask>& needed = needed_[static_cast<std::size_t>(view.slot)];
  for (std::size_t u = 0; u < view.units.size(); ++u) {
    if (!view.units[u].lanes) continue;
    for (const WarpId id : view.candidates& view.by_unit[u]) {
      const std::uint32_t pc = buffers_.of(id).peek(static_cast<std::size_t>(view.slot)).pc;
      const InstructionFootprint& footprint = warps_.progress(id).footprints[pc];
      const LaneMask active = warps_.state(id).simt.active();
      needed[id.value] = planner_ && may_move_lanes(footprint.unit, footprint.op_class)
                             ? planner_->lanes({view.now, static_cast<std::size_t>(view.partition),
                                                footprint.unit, footprint.op_class, active})
                             : active;
    }
  }
  view.lanes = needed;
}

const LanePlan* LaneNeeds::ask(Cycle now, std::size_t partition, const InstructionFootprint& footprint,
                               LaneMask threads, LanePlan& storage) const {
  const LanePlan* planned =
      planner_->plan({now, partition, footprint.unit, footprint.op_class, threads}, storage);
  if (planned && !planner_->proven() && !planned->serves(threads))
    throw InternalError("a lane plan does not serve its threads once each");
  return planned;
}

}  // namespace heddle
