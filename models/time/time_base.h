#pragma once

// Shared by the clocks of one machine: the order of their ticks in time, and the first failure.
//
// One SystemC process runs all clocks of a time base, in the order of their next ticks. If all of them may
// run ahead (Clock::run_ahead), time passes from tick to tick without the SystemC kernel, up to the kernel's
// next event: sc_time_stamp() stands still meanwhile and is exact again whenever another process runs, and
// when sc_start() returns. Otherwise every tick is a timed notification, in which sc_time_stamp() is exact.
//
// Clocks whose modules write only their own state may declare it (Clock::beside_others): their ticks of one
// time run on use_threads() threads, after the ticks of the other clocks if there are several. The remaining
// work of these ticks (observers, a failure) follows when all have run, in the order of the clocks. Results
// do not depend on the number of threads: within one time no clock sees another one's actions.

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

  /// The present time in units of SystemC's resolution: within a tick that of the tick.
  std::uint64_t now() const { return running_ ? now_ : sc_core::sc_time_stamp().value(); }

  /// Notifies an event that a process outside of the clocks waits for: it wakes at the present time, when all
  /// clocks have run their ticks of it. Inside ticks, instead of event.notify(), which would take SystemC's
  /// time.
  void notify(sc_core::sc_event& event);
  /// Pauses the simulation at the present time, when all clocks have run their ticks of it.
  void pause();

  /// Runs ticks of clocks beside each other, where there are several a thread. Before the first cycle.
  void use_threads(int threads);
  /// Held by a parallel tick while it writes state outside of its clock; the order of such writes must not
  /// matter. Do not hold it in a call to another module.
  std::unique_lock<SpinLock> alone() { return std::unique_lock(alone_); }

 private:
  friend class Clock;
  struct Entry {
    std::uint64_t next;  ///< time of the next tick, kNoTime without a request
    Ticking* clock;
    bool beside = false;  ///< its ticks may run beside others
  };

  void add(Ticking& clock);
  void remove(Ticking& clock);
  void set_next(std::size_t clock, std::uint64_t time) {
    clocks_[clock].next = time;
    if (!running_ && time != kNoTime) arm(time);
  }
  /// A clock received a request from another module.
  void hear_of(std::uint64_t time) { soonest_ = std::min(soonest_, time); }
  void arm(std::uint64_t time);
  void run();
  void run_ticks();
  void run_ticks_of(std::uint64_t time);
  bool may_pass_to(std::uint64_t time);
  static bool waits(const Entry& entry);
  void end_ticks(std::size_t together);
  std::uint64_t next_tick() const;

  std::vector<Entry> clocks_;
  int exact_clocks_ = 0;  ///< that may not run ahead
  bool running_ = false;
  bool pausing_ = false;
  bool noted_ = false;            ///< an outside module must be notified at the current time
  std::uint64_t now_ = 0;         ///< while running
  std::uint64_t soonest_ = 0;     ///< of the next ticks, as far as they have been looked at in this time
  std::uint64_t limit_ = 0;       ///< time passes to here without a question
  int ticks_left_ = 0;            ///< before the kernel is entered in any case
  std::vector<Ticking*> beside_;  ///< ticks of one time; as long as clocks_
  std::unique_ptr<TickTeam> team_;
  SpinLock alone_;
};

/// Carries the first exception out of the simulation: processes must not throw through the SystemC kernel.
class RunStatus {
 public:
  /// Keeps the first failure and pauses the simulation; the caller of sc_start rethrows it.
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
