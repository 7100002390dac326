#include "models/operands/release_queue.h"

#include <algorithm>

namespace heddle {

void ReleaseQueue::drop(WarpId warp, Cycle now) {
  if (!asked_.empty()) dropped_.emplace_back(warp, now);
}

bool ReleaseQueue::offer(const Item& item, const isa::Instruction* instruction) {
  if (free_.empty()) add();
  RegisterAccess& access = *free_.back();
  access.set_register(item.warp, item.reg);
  access.kernel = item.kernel;
  access.live = item.live;
  access.instruction = instruction;
  access.place.set = access.direct = false;
  access.earliest_service = access.data_at = 0;
  const RegisterAnswer answer = path_->submit(RegisterPath::Sender::collectors, access);
  if (answer == RegisterAnswer::accepted) free_.pop_back();
  return answer != RegisterAnswer::refused;
}

void ReleaseQueue::add() {
  RegisterAccess& access = all_.emplace_back();
  access.command = RegisterCommand::release;
  access.source = RegisterAccess::kReleases;
  free_.push_back(&access);
}

bool ReleaseQueue::step_asked(Cycle now) {
  for (const auto& drop : dropped_)
    if (drop.second < now)
      std::erase_if(asked_,
                    [&drop](const Item& item) { return item.warp == drop.first && item.at <= drop.second; });
  std::erase_if(dropped_, [now](const auto& drop) { return drop.second < now; });
  std::size_t taken = 0;
  while (taken < asked_.size() && asked_[taken].at < now &&
         path_->may_send(RegisterPath::Sender::collectors) && offer(asked_[taken])) {
    sent_.push_back(asked_[taken]);
    sent_.back().at = now;
    ++taken;
  }
  asked_.erase(asked_.begin(), asked_.begin() + static_cast<std::ptrdiff_t>(taken));
  if (taken != 0) path_->clock().wake_next();
  return !asked_.empty();
}

}  // namespace heddle
