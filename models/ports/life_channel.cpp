#include "models/ports/life_channel.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr LifeSet kOfBackEnd{Life::reads_held, Life::dispatched, Life::left, Life::completed};

void call_hook(LifeListener& listener, Life event, const InFlight& item) {
  switch (event) {
    case Life::reads_held:
      return listener.reads_held(item);
    case Life::dispatched:
      return listener.dispatched(item);
    case Life::left:
      return listener.left(item);
    case Life::completed:
      return listener.completed(item);
    default:
      return;
  }
}

}  // namespace

void LifeChannel::subscribe(LifeListener& listener, LifeSet events, std::size_t partition) {
  for (std::size_t e = 0; e < subscribers_.size(); ++e)
    if (events.has(static_cast<Life>(e))) subscribers_[e].push_back({&listener, partition});
  subscribed_ = subscribed_ | events;
}

void LifeChannel::follow(LifeListener& listener, LifeSet events) {
  for (std::size_t e = 0; e < subscribers_.size(); ++e) {
    const auto event = static_cast<Life>(e);
    if (!events.has(event)) continue;
    const bool back_end = kOfBackEnd.has(event);
    auto& known = (back_end ? followers_ : subscribers_)[e];
    if (std::any_of(known.begin(), known.end(),
                    [&](const Subscription& s) { return s.listener == &listener; }))
      continue;
    known.push_back({&listener, kEveryPartition});
    LifeSet& set = back_end ? followed_ : subscribed_;
    set = set | LifeSet{event};
    if (event == Life::left) of_left_ = nullptr;
  }
}

void LifeChannel::wake_reader() {
  reader_woken_at_ = clock_->now();
  if (reader_) reader_->wake();
}

void LifeChannel::notify_issued(const InFlight& item) const {
  notify_of<&LifeListener::issued>(Life::issued, item.warp(), item);
}

void LifeChannel::notify_prepared(const InFlight& item) const {
  notify_of<&LifeListener::prepared>(Life::prepared, item.warp(), item);
}

void LifeChannel::notify_step(Life event, const InFlight& item) const {
  const std::size_t partition = homes_.partition(item.warp());
  for (const Subscription& s : subscribers_[static_cast<std::size_t>(event)])
    if (s.partition == kEveryPartition || s.partition == partition) call_hook(*s.listener, event, item);
}

void LifeChannel::notify_followers(Life what, const InFlight& item) const {
  for (const Subscription& s : followers_[static_cast<std::size_t>(what)]) call_hook(*s.listener, what, item);
}

}  // namespace heddle
