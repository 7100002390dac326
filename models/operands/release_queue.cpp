#include "models/operands/release_queue.h"

#include <algorithm>

namespace heddle {

void ReleaseQueue::drop(WarpId warp, Cycle now) {
  if (!requested_.empty()) dropped_.put(now, warp);
}

bool ReleaseQueue::offer(const Item& item, const isa::Instruction* instruction) {
  if (free_.empty()) add();
  RegisterAccess& access = *free_.back();
  access.set_register(item.warp, item.reg);
  access.live = item.live;
  access.instruction = instruction;
  access.place.set = access.direct = false;
  access.earliest_service = access.data_at = 0;
  const RegisterAnswer answer = path_->take(RegisterPath::Sender::collectors, access);
  if (answer == RegisterAnswer::accepted) free_.pop_back();
  if (answer == RegisterAnswer::refused) return false;
  life_->released(item.warp, item.reg);
  return true;
}

void ReleaseQueue::add() {
  RegisterAccess& access = all_.emplace_back();
  access.command = RegisterCommand::release;
  access.source = RegisterAccess::kReleases;
  free_.push_back(&access);
}

bool ReleaseQueue::step_requested(Cycle now) {
  dropped_.take(now, [&](WarpId warp) {
    requested_.erase_if(now, [this, warp](const Item& item) {
      const bool drops = item.warp == warp;
      drops_ += drops;
      return drops;
    });
  });
  bool taken = false;
  requested_.take_while(now, [&](const Item& item) {
    if (!path_->may_send(RegisterPath::Sender::collectors) || !offer(item)) return false;
    sent_.put(now, item);
    return taken = true;
  });
  if (taken) path_->clock().wake();
  return !requested_.empty();
}

}  // namespace heddle
