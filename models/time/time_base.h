#pragma once

// Orders the ticks of all clocks of a simulated machine in time, and keeps the first failure. All clocks of
// one machine share this object.
//
// One SystemC process runs all clocks. If all clocks allow it (Clock::run_ahead), time advances from tick to
// tick without the SystemC kernel, up to the kernel's next event. Meanwhile sc_time_stamp() does not change.
//
// Clocks whose modules change only their own state may allow parallel ticks (Clock::parallel_with_others). If
// several clocks allow parallel ticks, their ticks at one point in time run on use_threads() threads, after
// the ticks of the other clocks. Observers and the report of a failure follow in the order of the clocks.
// Results do not depend on the number of threads, because at one point in time no clock reads what another
// clock changes.
//
// Clocks with parallel ticks may also run ahead of each other (run_apart), so that the state of one clock's
// modules stays in the host's cache for many ticks. A window of time begins when all clocks have reached its
// first time. Each clock then runs all its ticks of the window in turn, and the common clock (the memory's)
// follows. A clock that must not run ahead (Leash) runs its tick when all other clocks have reached the time
// of this tick. The earliest failure is reported. Of several failures at one time, the failure of the first
// clock is reported.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
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

  std::uint64_t now() const { return running_ ? now_ : sc_core::sc_time_stamp().value(); }

  /// Notifies an event of a SystemC process outside the clocks. The process wakes at the current time, after
  /// all clocks have run their ticks of this time. Code in a tick must not call event.notify(), because
  /// SystemC's time may lag behind.
  void notify(sc_core::sc_event& event);
  /// Pauses the simulation at the current time, after all clocks have run their ticks of this time.
  void pause();

  void use_threads(int threads);
  /// Lets all clocks except `common` run ahead of each other. These clocks exchange data only with `common`.
  /// `window_end`: function that receives the first time of a window and returns its last time. A tick of
  /// `common` in the window may affect only clocks that their Leash prevents from running ahead. Results do
  /// not depend on the length of windows. If a clock does not allow parallel ticks, or is observed, no clock
  /// runs ahead.
  void run_apart(Ticking& common, std::function<std::uint64_t(std::uint64_t)> window_end);
  /// Returns the lock that a parallel tick must hold while it changes state of another clock or of the whole
  /// machine. The result must not depend on the order of such changes. The tick must not call another module
  /// while it holds the lock.
  std::unique_lock<SpinLock> alone() { return std::unique_lock(alone_); }

 private:
  friend class Clock;
  struct Entry {
    std::uint64_t next;
    Ticking* clock;
    bool beside = false;
    bool is_observed = false;  ///< true if observers must be called at the time of each tick
  };

  void add(Ticking& clock);
  void remove(Ticking& clock);
  void set_next(std::size_t clock, std::uint64_t time) {
    clocks_[clock].next = time;
    if (!running_ && time != kNoTime) arm(time);
  }
  void note_request(std::uint64_t time) { soonest_ = std::min(soonest_, time); }
  void arm(std::uint64_t time);
  void run();
  void run_ticks();
  void run_ticks_of(std::uint64_t time);
  bool may_run_apart() const;
  void run_windows();
  void run_ahead(std::uint64_t base);
  void report_failures();
  bool may_pass_to(std::uint64_t time);
  static bool waits(const Entry& entry);
  void end_ticks(std::size_t together);
  std::uint64_t next_tick() const;

  std::vector<Entry> clocks_;
  int exact_clocks_ = 0;
  bool running_ = false;
  bool pausing_ = false;
  bool noted_ = false;
  std::uint64_t now_ = 0;
  std::uint64_t soonest_ = 0;
  std::uint64_t limit_ = 0;
  int ticks_left_ = 0;
  /// Clocks whose ticks run in parallel at the current time.
  std::vector<Ticking*> beside_;
  std::unique_ptr<TickTeam> team_;
  SpinLock alone_;
  Ticking* common_ = nullptr;
  std::function<std::uint64_t(std::uint64_t)> window_end_of_;
  std::uint64_t window_end_ = 0;       ///< last time of the present window of time (run_apart)
  std::uint64_t failed_at_ = kNoTime;  ///< earliest time at which a tick failed, of the clocks that ran ahead
};

/// Carries the first exception of a simulation to the caller of sc_start, because an exception must not pass
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
