#include "models/operands/active_slots.h"

#include <algorithm>

namespace heddle {

bool ActiveSlots::may_leave(WarpId warp) const {
  return std::all_of(stages_.begin(), stages_.end(),
                     [warp](const RegisterStage* stage) { return stage->may_leave(warp); });
}

WarpSet ActiveSlots::flushed(WarpSet drained, WarpSet leaving) const {
  drained &= leaving_ & leaving;
  for (const WarpId warp : drained)
    for (const RegisterStage* stage : stages_)
      if (!stage->flushed(warp)) drained.remove(warp);
  return drained;
}

bool ActiveSlots::pass_on(WarpSet leaving, WarpSet active, WarpSet drained, WarpSet resident) {
  if (!followed()) return false;
  const WarpSet fresh = leaving & drained & ~leaving_;
  for (const WarpId warp : fresh) {
    leaving_.add(warp);
    bound_.remove(warp);
    for (RegisterStage* stage : stages_) stage->warp_deactivated(warp);
  }
  // Those that have left, and come back; a leaving one is active until then.
  for (const WarpId warp : leaving_& active & ~leaving & resident) {
    leaving_.remove(warp);
    for (RegisterStage* stage : stages_) stage->warp_activated(warp);
  }
  return !fresh.empty();
}

}  // namespace heddle
