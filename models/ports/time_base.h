#pragma once

// What the clocks of one machine share: the order of their ticks in time, and the first failure.
//
// One SystemC process runs all clocks of a time base, in the order of their next ticks. Where all of them may
// run ahead (Clock::run_ahead), time passes from tick to tick without the SystemC kernel, up to the next
// thing that the kernel has to do at all: sc_time_stamp() stands still meanwhile and is exact again whenever
// anybody else runs, and when sc_start() returns. Else every tick is a timed notification of its own, in
// which sc_time_stamp() is exact.

#include <cstdint>
#include <exception>
#include <memory>
#include <systemc>
#include <vector>

namespace heddle {

/// What a time base runs, a clock: told at the times that it has asked for.
class Ticking {
 protected:
  ~Ticking() = default;
  virtual void run_tick() = 0;

 private:
  friend class TimeBase;
  friend class Clock;
  std::size_t number_ = 0;  ///< in its time base
  bool runs_ahead_ = false;
  sc_core::sc_event timer_;
};

class TimeBase {
 public:
  static constexpr std::uint64_t kNoTime = ~std::uint64_t{0};

  TimeBase() = default;
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

 private:
  friend class Clock;
  struct Entry {
    std::uint64_t next;  ///< time of the next tick, kNoTime if none is asked for
    Ticking* clock;
  };

  void add(Ticking& clock);
  void remove(Ticking& clock);
  void set_next(std::size_t clock, std::uint64_t time) {
    clocks_[clock].next = time;
    if (!running_ && time != kNoTime) arm(time);
  }
  void arm(std::uint64_t time);
  void run();
  void run_ticks();
  std::uint64_t next_tick() const;

  std::vector<Entry> clocks_;
  int exact_clocks_ = 0;  ///< that may not run ahead
  bool running_ = false;
  bool pausing_ = false;
  std::uint64_t now_ = 0;    ///< while running
  std::uint64_t limit_ = 0;  ///< the kernel has something to do at this time
  int ticks_left_ = 0;       ///< before the kernel is entered in any case
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
