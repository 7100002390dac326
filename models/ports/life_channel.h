#pragma once

// Delivers the events of i_life_listener.h to subscribers within the SM. Collectors, units and the result bus
// report the steps of an instruction. The issue stage, which needs all of them, reads them in the next cycle,
// so that results do not depend on the order of units within a cycle (reports of one cycle commute).
//
// Direct subscribers are notified at once. Followers receive back-end events (reads_held to completed) when
// the issue stage processes them: in the order of cycles, with scoreboard and counters up to date. All other
// events reach both at once.

#include <array>
#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/warp_homes.h"
#include "models/time/clock.h"

namespace heddle {

class LifeChannel {
 public:
  /// Reports of the back end.
  struct Told {
    Life what = Life::count_;
    InFlight* item = nullptr;
  };

  LifeChannel(const Clock& clock, WarpHomes homes) : clock_(&clock), homes_(homes) {}
  /// Reader of the back end's reports, which is due when there are some.
  void set_reader(ClockedModule& reader) { reader_ = &reader; }

  static constexpr std::size_t kEveryPartition = ~std::size_t{0};
  /// Listeners are notified in the order of their subscriptions. A partition's listener receives its warps
  /// only.
  void subscribe(LifeListener& listener, LifeSet events, std::size_t partition = kEveryPartition);
  void follow(LifeListener& listener, LifeSet events);
  /// Handler of `left` in place of the reader, called at once, for a reader that only counts it. If there is
  /// a follower, the reader processes the event as well.
  void set_hearer_of_left(LifeListener& hearer) {
    if (!followed_.has(Life::left)) of_left_ = &hearer;
  }

  /// Until the next call of this function: an instruction without a long latency that leaves its collector
  /// changes nothing for the reader. The reader processes it when it is due for another reason; at once if
  /// there is a follower.
  void let_dispatches_wait(bool wait) {
    dispatches_wait_ = wait && !followed_.has_any({Life::reads_held, Life::dispatched});
    if (!wait && !told_.empty()) ask_reader();
  }

  /// True if there is a direct subscriber.
  bool is_heard(Life event) const { return heard_.has(event); }

  // Events of kernels, CTAs and warps, from the module that begins and ends them.
  void kernel_begins(const KernelBegins& kernel) {
    tell<&LifeListener::kernel_begins>(Life::kernel_begins, kernel);
  }
  void cta_begins(const CtaBegins& cta) { tell<&LifeListener::cta_begins>(Life::cta_begins, cta); }
  void warp_begins(const WarpBegins& warp) {
    tell_of<&LifeListener::warp_begins>(Life::warp_begins, warp.warp, warp);
  }
  void warp_ends(WarpId warp) { tell_of<&LifeListener::warp_ends>(Life::warp_ends, warp, warp); }
  void warp_gone(WarpId warp) { tell_of<&LifeListener::warp_gone>(Life::warp_gone, warp, warp); }
  void cta_ends(CtaSlot slot) { tell<&LifeListener::cta_ends>(Life::cta_ends, slot); }
  // From issue, collectors and the register path.
  void issued(const InFlight& item) {
    if (heard_.has(Life::issued)) tell_issued(item);
  }
  void prepared(const InFlight& item) {
    if (heard_.has(Life::prepared)) tell_prepared(item);
  }
  void released(WarpId warp, RegId reg) {
    if (heard_.has(Life::released))
      tell_of<&LifeListener::register_released>(Life::released, warp, warp, reg);
  }
  // From the back end.
  void reads_held(InFlight& item) { put<Life::reads_held>(item); }
  /// Also reports reads_held, unless that was reported before.
  void dispatched(InFlight& item) {
    if (!item.reads_released && heard_.has(Life::reads_held)) tell_step(Life::reads_held, item);
    put<Life::dispatched>(item);
  }
  void left(InFlight& item) {
    if (!of_left_) return put<Life::left>(item);
    of_left_->left(item);
    if (heard_.has(Life::left)) tell_step(Life::left, item);
  }
  void completed(InFlight& item) { put<Life::completed>(item); }

  /// For the issue stage: delivers, in order, the reports of earlier cycles.
  template <class Handler>
  void drain(Handler&& handler) {
    told_.take(clock_->now(), handler);
  }
  /// It has taken this in.
  void taken_in(Life what, const InFlight& item) const {
    if (followed_.has(what)) tell_followers(what, item);
  }

 private:
  struct Subscription {
    LifeListener* listener;
    std::size_t partition;
  };
  using Subscriptions = std::array<std::vector<Subscription>, static_cast<std::size_t>(Life::count_)>;

  template <Life kWhat>
  [[gnu::always_inline]] void put(InFlight& item) {
    told_.put(clock_->now(), {kWhat, &item});
    const bool waits = kWhat == Life::dispatched && dispatches_wait_ && !item.footprint->long_latency;
    if (asked_ != clock_->now() && !waits) ask_reader();
    if (heard_.has(kWhat)) tell_step(kWhat, item);
  }
  template <auto kHook, class... What>
  void tell(Life event, const What&... what) const {
    for (const Subscription& s : hearers_[static_cast<std::size_t>(event)]) (s.listener->*kHook)(what...);
  }
  /// Event of a warp: not delivered to listeners of other partitions.
  template <auto kHook, class... What>
  void tell_of(Life event, WarpId warp, const What&... what) const {
    const std::size_t partition = homes_.partition(warp);
    for (const Subscription& s : hearers_[static_cast<std::size_t>(event)])
      if (s.partition == kEveryPartition || s.partition == partition) (s.listener->*kHook)(what...);
  }
  void ask_reader();
  void tell_issued(const InFlight& item) const;
  void tell_prepared(const InFlight& item) const;
  [[gnu::noinline]] void tell_step(Life event, const InFlight& item) const;
  [[gnu::noinline]] void tell_followers(Life what, const InFlight& item) const;

  const Clock* clock_;
  ClockedModule* reader_ = nullptr;
  LifeListener* of_left_ = nullptr;
  Cycle asked_ = kNever;  ///< the reader was scheduled in this cycle
  WarpHomes homes_;
  Subscriptions hearers_, followers_;  ///< by event; followers_: of the back end
  LifeSet heard_, followed_;           ///< events with a direct subscriber, and with a follower
  bool dispatches_wait_ = false;
  CycleInbox<Told> told_;
};

}  // namespace heddle
