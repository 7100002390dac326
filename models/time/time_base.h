#pragma once

// Order of the ticks of a machine's clocks in time, and the first failure. All clocks of one machine share
// this object.
//
// One SystemC process runs all clocks of a time base, in the order of their next ticks. If all clocks may run
// ahead (Clock::run_ahead), time passes from tick to tick without the SystemC kernel, up to the kernel's next
// event. Meanwhile sc_time_stamp() stands still. It is exact when another process runs, and when sc_start()
// returns. If a clock may not run ahead, every tick is a timed notification, in which sc_time_stamp() is
// exact.
//
// Clocks whose modules write only their own state may allow parallel ticks (Clock::parallel_with_others). If there
// are several, their ticks of one time run on use_threads() threads, after the ticks of the other clocks. The
// remaining work of these ticks (observers, a failure) follows when all have run, in the order of the clocks.
// Results do not depend on the number of threads, because within one time no clock sees another clock's
// actions.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <systemc>
#include <vector>

#include "models/time/spin_lock.h"
#include "models/time/ticking.h"

namespace heddle {

class TickTeam;

class TimeBase {
 public:
  static constexpr std::uint64_t kNoTime = ~std::uint64_t{0};

  TimeBase();
  ~TimeBase();
  TimeBase(const TimeBase&) = delete;
  TimeBase& operator=(const TimeBase&) = delete;

  /// The current time in units of SystemC's resolution. Within a tick, it is the time of the tick.
  std::uint64_t now() const { return running_ ? now_ : sc_core::sc_time_stamp().value(); }

  /// Notifies an event for which a process outside of the clocks waits. The process wakes at the current
  /// time, after all clocks have run their ticks of this time. Use it inside ticks instead of event.notify(),
  /// which uses SystemC's time.
  void notify(sc_core::sc_event& event);
  /// Pauses the simulation at the current time, after all clocks have run their ticks of this time.
  void pause();

  /// Sets the number of threads for parallel ticks. Must be called before the first cycle.
  void use_threads(int threads);
  /// Lock that a parallel tick must hold while it writes state outside of its clock. The order of such writes
  /// must not matter. Do not hold it in a call to another module.
  std::unique_lock<SpinLock> alone() { return std::unique_lock(alone_); }

 private:
  friend class Clock;
  struct Entry {
    std::uint64_t next;  ///< time of the next tick; kNoTime without a request
    Ticking* clock;
    bool beside = false;  ///< its ticks may run in parallel with those of others
  };

  void add(Ticking& clock);
  void remove(Ticking& clock);
  void set_next(std::size_t clock, std::uint64_t time) {
    clocks_[clock].next = time;
    if (!running_ && time != kNoTime) arm(time);
  }
  /// A clock received a request from another module.
  void note_request(std::uint64_t time) { soonest_ = std::min(soonest_, time); }
  void arm(std::uint64_t time);
  void run();
  void run_ticks();
  void run_ticks_of(std::uint64_t time);
  bool may_pass_to(std::uint64_t time);
  static bool waits(const Entry& entry);
  void end_ticks(std::size_t together);
  std::uint64_t next_tick() const;

  std::vector<Entry> clocks_;
  int exact_clocks_ = 0;  ///< clocks that may not run ahead
  bool running_ = false;
  bool pausing_ = false;
  bool noted_ = false;            ///< an outside module must be notified at the current time
  std::uint64_t now_ = 0;         ///< current time while running
  std::uint64_t soonest_ = 0;     ///< earliest of the next ticks that were examined at this time
  std::uint64_t limit_ = 0;       ///< time up to which no query of the kernel is needed
  int ticks_left_ = 0;            ///< ticks until the kernel must run
  std::vector<Ticking*> beside_;  ///< parallel ticks of one time; as long as clocks_
  std::unique_ptr<TickTeam> team_;
  SpinLock alone_;
};

/// Carries the first exception out of the simulation, because processes must not throw through the SystemC
/// kernel.
class RunStatus {
 public:
  /// Keeps the first failure and pauses the simulation. The caller of sc_start rethrows it.
  void fail(std::exception_ptr failure);
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  bool failed() const { return failure_ != nullptr; }

  const std::shared_ptr<TimeBase>& time_base() const { return time_base_; }

 private:
  std::exception_ptr failure_;
  std::shared_ptr<TimeBase> time_base_ = std::make_shared<TimeBase>();
};

}  // namespace heddle
