// How scheduling and the register-file stages above the banks agree: a warp that gives up its active slot
// leaves their storage first, and does not leave between instructions that pass values through it.

#include <bit>

#include "models/sm/issue_stage.h"

namespace heddle {

// Warps that would lose what their next instructions read from an operand file: these stay and wait.
WarpSet IssueStage::bound_to_entries(const Scheduler& scheduler) const {
  const Partition& partition = partitions_[scheduler.partition];
  WarpSet bound = 0;
  if (!partition.hears_warps) return bound;
  for (WarpSet rest = long_wait_ & scheduler.mine; rest; rest &= rest - 1) {
    const WarpId warp(static_cast<std::uint32_t>(std::countr_zero(rest)));
    if (!partition.port->may_leave(warp)) bound |= bit_of(warp);
  }
  return bound;
}

WarpSet IssueStage::drained_of(const Scheduler& scheduler) const {
  const Partition& partition = partitions_[scheduler.partition];
  WarpSet drained = drained_ & scheduler.mine;
  if (!partition.hears_warps) return drained;
  drained &= deactivated_;
  for (WarpSet rest = drained; rest; rest &= rest - 1) {
    const WarpId warp(static_cast<std::uint32_t>(std::countr_zero(rest)));
    if (!partition.port->flushed(warp)) drained &= ~bit_of(warp);
  }
  return drained;
}

void IssueStage::note_leaving(const Scheduler& scheduler) {
  const Partition& partition = partitions_[scheduler.partition];
  if (!partition.hears_warps) return;
  for (WarpSet rest = scheduler.policy->leaving() & drained_ & scheduler.mine & ~deactivated_; rest;
       rest &= rest - 1) {
    const WarpId warp(static_cast<std::uint32_t>(std::countr_zero(rest)));
    deactivated_ |= bit_of(warp);
    partition.port->warp_deactivated(warp);
    clock().wake_next();
  }
}

void IssueStage::note_activated(const Scheduler& scheduler, WarpSet active) {
  // Those that have left, and come back; a leaving one is active until then.
  for (WarpSet rest = deactivated_ & active & ~scheduler.policy->leaving() & resident_; rest;
       rest &= rest - 1) {
    const WarpId warp(static_cast<std::uint32_t>(std::countr_zero(rest)));
    deactivated_ &= ~bit_of(warp);
    partitions_[scheduler.partition].port->warp_activated(warp);
  }
}

}  // namespace heddle
