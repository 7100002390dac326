#include "models/sm/stage_handshake.h"

namespace heddle {

void StageHandshake::connect(std::size_t partition, RegisterPort& port) {
  if (!port.hears_warps()) return;
  ports_[partition] = &port;
  listens_ = true;
}

void StageHandshake::started(WarpId warp) {
  deactivated_.remove(warp);
  bound_.remove(warp);
}

void StageHandshake::issued(std::size_t partition, WarpId warp, const isa::Instruction& instruction,
                            LaneMask mask) {
  RegisterPort* port = ports_[partition];
  if (port == nullptr || (mask == 0 && !instruction.ends_strand)) return;
  port->instruction_issued(warp, instruction, mask);
  bound_.set(warp, !port->may_leave(warp));
}

WarpSet StageHandshake::drained(std::size_t partition, const SchedulerPolicy& policy, WarpSet drained) const {
  const RegisterPort* port = ports_[partition];
  if (port == nullptr) return drained;
  drained &= deactivated_ & policy.leaving();
  for (const WarpId warp : drained)
    if (!port->flushed(warp)) drained.remove(warp);
  return drained;
}

bool StageHandshake::note(std::size_t partition, const SchedulerPolicy& policy, WarpSet drained,
                          WarpSet resident) {
  RegisterPort* port = ports_[partition];
  if (port == nullptr) return false;
  const WarpSet leaving = policy.leaving() & drained & ~deactivated_;
  for (const WarpId warp : leaving) {
    deactivated_.add(warp);
    bound_.remove(warp);
    port->warp_deactivated(warp);
  }
  // Those that have left, and come back; a leaving one is active until then.
  for (const WarpId warp : deactivated_& policy.active() & ~policy.leaving() & resident) {
    deactivated_.remove(warp);
    port->warp_activated(warp);
  }
  return !leaving.empty();
}

}  // namespace heddle
