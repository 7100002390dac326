#include "models/sm/stage_handshake.h"

namespace heddle {

void StageHandshake::connect(std::size_t partition, RegisterPath& path) {
  if (!path.hears(hears::active_slots | hears::issues)) return;
  paths_[partition] = &path;
  listens_ = true;
  follows_slots_ |= path.hears(hears::active_slots);
}

void StageHandshake::started(WarpId warp) {
  deactivated_.remove(warp);
  bound_.remove(warp);
}

void StageHandshake::issued(std::size_t partition, const InstructionIssued& instruction) {
  RegisterPath* path = paths_[partition];
  if (path == nullptr) return;
  path->issued(instruction);
  if (path->hears(hears::active_slots)) bound_.set(instruction.warp, !path->may_leave(instruction.warp));
}

WarpSet StageHandshake::flushed(std::size_t partition, const SchedulerPolicy& policy, WarpSet drained) const {
  const RegisterPath* path = paths_[partition];
  if (path == nullptr || !path->hears(hears::active_slots)) return drained;
  drained &= deactivated_ & policy.leaving();
  for (const WarpId warp : drained)
    if (!path->flushed(warp)) drained.remove(warp);
  return drained;
}

bool StageHandshake::note_leaving(std::size_t partition, const SchedulerPolicy& policy, WarpSet drained,
                                  WarpSet resident) {
  RegisterPath* path = paths_[partition];
  if (path == nullptr || !path->hears(hears::active_slots)) return false;
  const WarpSet leaving = policy.leaving() & drained & ~deactivated_;
  for (const WarpId warp : leaving) {
    deactivated_.add(warp);
    bound_.remove(warp);
    path->warp_deactivated(warp);
  }
  // Those that have left, and come back; a leaving one is active until then.
  for (const WarpId warp : deactivated_& policy.active() & ~policy.leaving() & resident) {
    deactivated_.remove(warp);
    path->warp_activated(warp);
  }
  return !leaving.empty();
}

}  // namespace heddle
