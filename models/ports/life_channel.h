#pragma once

// Delivers life events (i_life_listener.h) to subscribers in the SM. Operand collectors, execution units and
// the result bus report events. The issue stage reads these reports in the next cycle, so that results are
// independent of module order.
//
// A direct subscriber (subscribe) is notified at once. A follower (follow) receives back-end events
// (reads_held, dispatched, left, completed) later, when the issue stage processes them. At this time,
// scoreboard and counters already include the event. Followers receive events in the order of their cycles.

#include <array>
#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/warp_homes.h"
#include "models/time/clock.h"

namespace heddle {

class LifeChannel {
 public:
  struct Report {
    Life what = Life::count_;
    InFlight* item = nullptr;
  };

  LifeChannel(const Clock& clock, WarpHomes homes) : clock_(&clock), homes_(homes) {}
  /// Sets the module that reads the reports of the back end: the issue stage. Reports wake this module.
  void set_reader(ClockedModule& reader) { reader_ = &reader; }

  static constexpr std::size_t kEveryPartition = ~std::size_t{0};
  /// Adds a direct subscriber. Listeners are notified in the order in which they subscribed. With
  /// `partition`, the listener receives only events of warps of this partition.
  void subscribe(LifeListener& listener, LifeSet events, std::size_t partition = kEveryPartition);
  void follow(LifeListener& listener, LifeSet events);
  /// Sets a listener that receives the event `left` at once. The listener may only count this event. The
  /// issue stage then need not process `left`. Has no effect if another listener subscribed to `left` by
  /// follow().
  void set_listener_of_left(LifeListener& listener) {
    if (!followed_.has(Life::left)) of_left_ = &listener;
  }

  /// `wait`: if true, a report that a short-latency instruction has left its collector does not wake the
  /// issue stage, which reads the report when it next runs. If false, the report wakes the issue stage, as it
  /// always does if a listener follows (follow()) `dispatched` or `reads_held`.
  void let_dispatches_wait(bool wait) {
    dispatches_wait_ = wait && !followed_.has_any({Life::reads_held, Life::dispatched});
    if (!wait && !reports_.empty()) wake_reader();
  }

  bool has_subscriber(Life event) const { return subscribed_.has(event); }

  void kernel_begins(const KernelBegins& kernel) {
    notify<&LifeListener::kernel_begins>(Life::kernel_begins, kernel);
  }
  void cta_begins(const CtaBegins& cta) { notify<&LifeListener::cta_begins>(Life::cta_begins, cta); }
  void warp_begins(const WarpBegins& warp) {
    notify_of<&LifeListener::warp_begins>(Life::warp_begins, warp.warp, warp);
  }
  void warp_ends(WarpId warp) { notify_of<&LifeListener::warp_ends>(Life::warp_ends, warp, warp); }
  void warp_gone(WarpId warp) { notify_of<&LifeListener::warp_gone>(Life::warp_gone, warp, warp); }
  void fetched(WarpId warp, const DecodedInstruction& run) const {
    notify_of<&LifeListener::fetched>(Life::fetched, warp, warp, run);
  }
  void cta_ends(CtaSlot slot) { notify<&LifeListener::cta_ends>(Life::cta_ends, slot); }
  void issued(const InFlight& item) {
    if (subscribed_.has(Life::issued)) notify_issued(item);
  }
  void prepared(const InFlight& item) {
    if (subscribed_.has(Life::prepared)) notify_prepared(item);
  }
  void released(WarpId warp, RegId reg) {
    if (subscribed_.has(Life::released))
      notify_of<&LifeListener::register_released>(Life::released, warp, warp, reg);
  }
  void reads_held(InFlight& item) { put<Life::reads_held>(item); }
  /// Reports that the instruction has left its collector. Before that, reports `reads_held` (the collector
  /// has all operands) if this event of the instruction was not reported yet.
  void dispatched(InFlight& item) {
    if (!item.reads_released && subscribed_.has(Life::reads_held)) notify_step(Life::reads_held, item);
    put<Life::dispatched>(item);
  }
  void left(InFlight& item) {
    if (!of_left_) return put<Life::left>(item);
    of_left_->left(item);
    if (subscribed_.has(Life::left)) notify_step(Life::left, item);
  }
  void completed(InFlight& item) { put<Life::completed>(item); }

  template <class Handler>
  void drain(Handler&& handler) {
    reports_.take(clock_->now(), handler);
  }
  /// The issue stage must call this function after it has processed a report of event `what`, so that
  /// followers (listeners added by follow()) receive the event.
  void taken_in(Life what, const InFlight& item) const {
    if (followed_.has(what)) notify_followers(what, item);
  }

 private:
  struct Subscription {
    LifeListener* listener;
    std::size_t partition;
  };
  using Subscriptions = std::array<std::vector<Subscription>, static_cast<std::size_t>(Life::count_)>;

  template <Life kWhat>
  void put(InFlight& item) {
    reports_.put(clock_->now(), {kWhat, &item});
    const bool waits = kWhat == Life::dispatched && dispatches_wait_ && !item.footprint->long_latency;
    if (reader_woken_at_ != clock_->now() && !waits) wake_reader();
    if (subscribed_.has(kWhat)) notify_step(kWhat, item);
  }
  template <auto kHook, class... What>
  void notify(Life event, const What&... what) const {
    for (const Subscription& s : subscribers_[static_cast<std::size_t>(event)]) (s.listener->*kHook)(what...);
  }
  /// Notifies the direct subscribers of an event of `warp`, except those that subscribed only for another
  /// partition.
  template <auto kHook, class... What>
  void notify_of(Life event, WarpId warp, const What&... what) const {
    const std::size_t partition = homes_.partition(warp);
    for (const Subscription& s : subscribers_[static_cast<std::size_t>(event)])
      if (s.partition == kEveryPartition || s.partition == partition) (s.listener->*kHook)(what...);
  }
  void wake_reader();
  void notify_issued(const InFlight& item) const;
  void notify_prepared(const InFlight& item) const;
  void notify_step(Life event, const InFlight& item) const;
  void notify_followers(Life what, const InFlight& item) const;

  const Clock* clock_;
  ClockedModule* reader_ = nullptr;
  LifeListener* of_left_ = nullptr;
  Cycle reader_woken_at_ = kNever;
  WarpHomes homes_;
  Subscriptions subscribers_, followers_;
  LifeSet subscribed_, followed_;
  bool dispatches_wait_ = false;
  CycleInbox<Report> reports_;
};

}  // namespace heddle
