#pragma once

// Orders the ticks of all clocks of a simulated machine in time, and keeps the first failure. All clocks of
// one machine share this object.
//
// One SystemC process runs all clocks, in the order of their next ticks. If all clocks allow it
// (Clock::run_ahead), time advances from tick to tick without the SystemC kernel, up to the kernel's next
// event. Meanwhile sc_time_stamp() does not change. It is exact when another process runs, and when
// sc_start() returns. If a clock does not allow this, every tick is a timed notification, in which
// sc_time_stamp() is exact.
//
// Clocks whose modules change only their own state may allow parallel ticks (Clock::parallel_with_others). If
// several clocks allow it, their ticks at one point in time run on use_threads() threads, after the ticks of
// the other clocks. The remaining work of these ticks (observers, a failure) follows in the order of the
// clocks, when all ticks have run. Results do not depend on the number of threads, because at one point in
// time no clock sees the actions of another clock.

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

  /// Returns the current time in units of SystemC's resolution. Within a tick, it is the time of the tick.
  std::uint64_t now() const { return running_ ? now_ : sc_core::sc_time_stamp().value(); }

  /// Notifies an event for which a SystemC process outside the clocks waits. The process wakes at the current
  /// time, after all clocks have run their ticks of this time. Code in a tick must use this function instead
  /// of event.notify(), because event.notify() uses SystemC's time, which may lag behind.
  void notify(sc_core::sc_event& event);
  /// Pauses the simulation at the current time, after all clocks have run their ticks of this time.
  void pause();

  /// Sets the number of host threads for parallel ticks. It must be called before the first cycle.
  void use_threads(int threads);
  /// Returns the lock that a parallel tick must hold while it changes state of another clock or of the whole
  /// machine. The result of such changes must not depend on their order. The lock must not be held in a call
  /// to another module.
  std::unique_lock<SpinLock> alone() { return std::unique_lock(alone_); }

 private:
  friend class Clock;
  struct Entry {
    std::uint64_t next;  ///< time of the clock's next tick; kNoTime if no tick is requested
    Ticking* clock;
    bool beside = false;  ///< true if the clock's ticks may run in parallel with ticks of other clocks
  };

  void add(Ticking& clock);
  void remove(Ticking& clock);
  void set_next(std::size_t clock, std::uint64_t time) {
    clocks_[clock].next = time;
    if (!running_ && time != kNoTime) arm(time);
  }
  /// Notes that a module has requested a tick of another clock.
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
  int exact_clocks_ = 0;  ///< number of clocks whose ticks need the exact SystemC time
  bool running_ = false;
  bool pausing_ = false;
  bool noted_ = false;  ///< true if an event of another SystemC process must be notified at the current time
  std::uint64_t now_ = 0;      ///< current time while the clocks run
  std::uint64_t soonest_ = 0;  ///< earliest of the next ticks that have been examined at the current time
  std::uint64_t limit_ = 0;    ///< time up to which the SystemC kernel is known to have no event
  int ticks_left_ = 0;         ///< number of ticks until the SystemC kernel must run
  /// Clocks whose ticks run in parallel at the current time; as many elements as clocks_.
  std::vector<Ticking*> beside_;
  std::unique_ptr<TickTeam> team_;
  SpinLock alone_;
};

/// Carries the first exception of a simulation to the caller of sc_start. Processes must not throw exceptions
/// through the SystemC kernel.
class RunStatus {
 public:
  /// Keeps the first failure and pauses the simulation. The caller of sc_start rethrows the failure.
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
