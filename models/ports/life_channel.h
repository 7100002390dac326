#pragma once

// Brings the events of i_life_listener.h to whoever hears them, within the SM. Collectors, units and the result bus tell
// it what becomes of an instruction; the issue stage, which everything of this kind concerns, finds it here in the next
// cycle, so that the order in which units run within a cycle cannot be observed (what is told in one cycle commutes).
//
// Who subscribes hears at once. Who follows hears of the back end (reads_held to completed) when the issue stage takes
// it in: in the order of cycles, with scoreboard and counters as they are then. Of everything else both hear at once.

#include <array>
#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/warp_homes.h"
#include "models/time/clock.h"

namespace heddle {

class LifeChannel {
 public:
  /// What the back end tells.
  struct Told {
    Life what = Life::count_;
    InFlight* item = nullptr;
  };

  LifeChannel(const Clock& clock, WarpHomes homes) : clock_(&clock), homes_(homes) {}
  /// Who takes in what the back end tells, and is due when there is something.
  void set_reader(ClockedModule& reader) { reader_ = &reader; }

  static constexpr std::size_t kEveryPartition = ~std::size_t{0};
  /// Listeners hear in the order in which they have subscribed. Of a partition: of its warps alone.
  void subscribe(LifeListener& listener, LifeSet events, std::size_t partition = kEveryPartition);
  void follow(LifeListener& listener, LifeSet events);
  /// Who acts on `left` in the reader's place, at once: for a reader that would do no more than account it. Where somebody
  /// follows, the reader takes it in all the same.
  void set_hearer_of_left(LifeListener& hearer) {
    if (!followed_.has(Life::left)) of_left_ = &hearer;
  }

  /// Until this is said again: that an instruction without a long latency has left its collector changes nothing for the
  /// reader. It hears of that when it is due for something else; at once where somebody follows it.
  void let_dispatches_wait(bool wait) {
    dispatches_wait_ = wait && !followed_.has_any({Life::reads_held, Life::dispatched});
    if (!wait && !told_.empty()) ask_reader();
  }

  /// Somebody hears it at once.
  bool is_heard(Life event) const { return heard_.has(event); }

  // From whoever begins and ends what lives.
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
  /// Where reads_held has not been told, it is told with this.
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

  /// For the issue stage: hands over, in order, what the back end has told before this cycle.
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
  /// Of a warp: not to those of another partition.
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
  Cycle asked_ = kNever;  ///< the reader was asked in this cycle
  WarpHomes homes_;
  Subscriptions hearers_, followers_;  ///< by event; followers_: of the back end
  LifeSet heard_, followed_;           ///< that some hearer, some follower hears
  bool dispatches_wait_ = false;
  CycleInbox<Told> told_;
};

}  // namespace heddle
