#include "models/operands/active_slots.h"

#include <algorithm>

namespace heddle {

bool ActiveSlots::may_leave(WarpId warp) const {
  return std::all_of(stages_.begin(), stages_.end(),
                     [warp](const RegisterStage* stage) { return stage->may_leave(warp); });
}

WarpSet ActiveSlots::flushed(WarpSet drained) const {
  for (const WarpId warp : drained)
    for (const RegisterStage* stage : stages_)
      if (!stage->flushed(warp)) drained.remove(warp);
  return drained;
}

// Notifies the register stages when warps begin to give up their active slots of the scheduler. Such a warp
// counts as active while the stages write the warp's values back.
void ActiveSlots::notify(WarpSet fresh, WarpSet back) {
  for (const WarpId warp : fresh) {
    leaving_.add(warp);
    bound_.remove(warp);
    for (RegisterStage* stage : stages_) stage->warp_deactivated(warp);
  }
  for (const WarpId warp : back) {
    leaving_.remove(warp);
    for (RegisterStage* stage : stages_) stage->warp_activated(warp);
  }
}

}  // namespace heddle
