// How scheduling and the register-file stages above the banks agree: a warp that gives up its active slot
// leaves their storage first, and does not leave between instructions that pass values through it.

#include "models/sm/issue_stage.h"

namespace heddle {

void IssueStage::tell_stages(const WarpState& warp, const isa::Instruction& instruction, LaneMask mask) {
  const Partition& partition = partitions_[warp.partition];
  if (!partition.hears_warps || (mask == 0 && !instruction.ends_strand)) return;
  const WarpId id = warp.context.warp;
  partition.port->instruction_issued(id, instruction, mask);
  if (partition.port->may_leave(id))
    bound_ &= ~bit_of(id);
  else
    bound_ |= bit_of(id);
}

WarpSet IssueStage::drained_of(const Scheduler& scheduler) const {
  const Partition& partition = partitions_[scheduler.partition];
  WarpSet drained = drained_ & scheduler.mine;
  if (!partition.hears_warps) return drained;
  drained &= deactivated_ & scheduler.policy->leaving();
  for (const WarpId warp : drained)
    if (!partition.port->flushed(warp)) drained.remove(warp);
  return drained;
}

void IssueStage::note_leaving(const Scheduler& scheduler) {
  const Partition& partition = partitions_[scheduler.partition];
  if (!partition.hears_warps) return;
  for (const WarpId warp : scheduler.policy->leaving() & drained_ & scheduler.mine & ~deactivated_) {
    deactivated_ |= bit_of(warp);
    bound_ &= ~bit_of(warp);
    partition.port->warp_deactivated(warp);
    clock().wake_next();
  }
}

void IssueStage::note_activated(const Scheduler& scheduler, WarpSet active) {
  // Those that have left, and come back; a leaving one is active until then.
  for (const WarpId warp : deactivated_ & active & ~scheduler.policy->leaving() & resident_) {
    deactivated_ &= ~bit_of(warp);
    partitions_[scheduler.partition].port->warp_activated(warp);
  }
}

}  // namespace heddle
