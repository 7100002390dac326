#pragma once

// Time of one clock domain (an SM, the memory): integer cycles on one shared tick, which sleeps while
// nobody has work. A module asks for the cycles in which it wants to run; all modules of the domain run then.

#include <array>
#include <bit>
#include <exception>
#include <functional>
#include <queue>
#include <systemc>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

/// Carries the first exception out of the simulation: processes must not throw through the SystemC kernel.
class RunStatus {
 public:
  /// Keeps the first failure and pauses the simulation; the caller of sc_start rethrows it.
  void fail(std::exception_ptr failure);
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  bool failed() const { return failure_ != nullptr; }

 private:
  std::exception_ptr failure_;
};

/// The set of future cycles in which somebody wants a tick.
class WakeSet {
 public:
  void add(Cycle now, Cycle cycle) {
    if (cycle - now < kNear)
      near_[cycle % kNear / 64] |= std::uint64_t{1} << (cycle % 64);
    else
      far_.push(cycle);
  }
  /// Whether `cycle` was asked for; forgets it and everything before it. Called once for every tick.
  bool take(Cycle cycle);
  /// The first cycle after `now` that was asked for, kNever if none.
  Cycle next(Cycle now) const;

 private:
  static constexpr Cycle kNear = 1024;  ///< a ring of bits for the near future; a heap beyond
  std::array<std::uint64_t, kNear / 64> near_{};
  std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> far_;
};

class ClockedModule;

/// One self-timed process a domain: in every cycle that somebody asked for it runs the domain's modules one after the
/// other, in the order of their construction (which cannot be observed, see ClockedModule). A SystemC process for
/// every module would do the same at several times the cost.
class Clock : public sc_core::sc_module {
 public:
  /// `every_cycle`: tick in each cycle between start() and stop() even if nobody asked (results are the same).
  Clock(const sc_core::sc_module_name& name, sc_core::sc_time period, RunStatus& status, bool every_cycle = false);

  /// The current cycle. Valid within tick(); elsewhere (a transport call from another domain) call sync() first.
  Cycle now() const { return now_; }
  /// Brings now() up to the simulation time and returns it.
  Cycle sync();

  /// Asks for a tick in `cycle` (> now(); an earlier cycle means the next one). Requests are remembered until their
  /// cycle has come; asking twice costs nothing.
  void wake_at(Cycle cycle) {
    if (cycle <= now_) cycle = now_ + 1;
    wakes_.add(now_, cycle);
    if (cycle < next_ && !ticking_) schedule(cycle);
  }
  void wake_next() { wake_at(now_ + 1); }
  /// Asks for a tick that does not count as work: for state that changes by itself. Forgotten when the clock stops.
  void tick_at(Cycle cycle) {
    if (cycle <= now_) cycle = now_ + 1;
    extra_.add(now_, cycle);
    if (cycle < next_ && !ticking_ && running_) schedule(cycle);
  }

  void start(Cycle cycle);           ///< first tick in `cycle`
  void stop() { running_ = false; }  ///< ticks only where asked for from now on

  /// The last cycle whose tick somebody asked for (ticks of every_cycle alone do not count).
  Cycle last_work() const { return last_work_; }
  /// Whether somebody asked for a tick in `cycle`, the present one of another domain, whichever of the two domains
  /// ran first in it.
  bool works_in(Cycle cycle) const { return last_work_ == cycle || wakes_.next(cycle - 1) == cycle; }

  /// A passive observer, called after all modules have run in a cycle that ticks. Must not change anything.
  void observe(std::function<void(Cycle)> observer);

  const sc_core::sc_time& period() const { return period_; }
  RunStatus& status() { return *status_; }
  bool every_cycle() const { return every_cycle_; }

 private:
  friend class ClockedModule;
  void advance();
  void schedule(Cycle cycle);

  sc_core::sc_time period_;
  RunStatus* status_;
  bool every_cycle_;
  bool running_ = false;
  bool ticking_ = false;  ///< the modules run; the next tick is scheduled when all have
  Cycle now_ = 0;
  Cycle next_ = kNever;  ///< the cycle of the pending tick
  Cycle last_work_ = 0;
  WakeSet wakes_;
  WakeSet extra_;  ///< ticks that are not work
  std::vector<ClockedModule*> modules_;
  std::vector<std::function<void(Cycle)>> observers_;
  sc_core::sc_event timer_;
};

/// A hardware unit on a clock: tick() runs once in every cycle in which the domain ticks. Units of one domain
/// may run in any order within a cycle, so tick() acts only on what reached it in earlier cycles
/// (cycle_queue.h). A unit with nothing to do returns at once; one that must act again without an arrival
/// calls clock().wake_*.
class ClockedModule : public sc_core::sc_module {
 public:
  ClockedModule(const sc_core::sc_module_name& name, Clock& clock);
  ~ClockedModule() override;
  Clock& clock() { return *clock_; }
  const Clock& clock() const { return *clock_; }

 protected:
  virtual void tick() = 0;
  Cycle now() const { return clock_->now(); }

 private:
  friend class Clock;
  Clock* clock_;
};

}  // namespace heddle
