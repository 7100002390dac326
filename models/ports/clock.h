#pragma once

// Time of one clock domain (an SM, the memory): integer cycles on one shared tick event, that sleeps while
// nobody has work. A module asks for the cycle in which it next wants to run; all modules of the domain run
// then.

#include <exception>
#include <systemc>

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

class Clock : public sc_core::sc_module {
 public:
  /// `every_cycle`: tick in each cycle between start() and stop() even if nobody asked (results are the
  /// same).
  Clock(const sc_core::sc_module_name& name, sc_core::sc_time period, RunStatus& status,
        bool every_cycle = false);

  /// The current cycle. Valid within tick(); elsewhere (a transport call from another domain) call sync()
  /// first.
  Cycle now() const { return now_; }
  /// Brings now() up to the simulation time and returns it.
  Cycle sync();

  /// Asks for a tick in `cycle` (> now(); an earlier cycle means the next). Idempotent and cheap.
  void wake_at(Cycle cycle) {
    if (cycle < next_) schedule(cycle);
  }
  void wake_next() { wake_at(now_ + 1); }

  void start();  ///< first tick in the next cycle
  void stop();   ///< no tick until somebody asks again

  const sc_core::sc_event& tick() const { return tick_; }
  const sc_core::sc_time& period() const { return period_; }
  RunStatus& status() { return *status_; }
  bool every_cycle() const { return every_cycle_; }

 private:
  void advance();
  void schedule(Cycle cycle);

  sc_core::sc_time period_;
  RunStatus* status_;
  bool every_cycle_;
  bool running_ = false;
  Cycle now_ = 0;
  Cycle next_ = kNever;  ///< the cycle of the pending tick
  sc_core::sc_event timer_, tick_;
};

/// A hardware unit on a clock: tick() runs once in every cycle in which the domain ticks. Units of one domain
/// may run in any order within a cycle, so tick() acts only on what reached it in earlier cycles
/// (cycle_queue.h). A unit with nothing to do returns at once; one that must act again without an arrival
/// calls clock().wake_*.
class ClockedModule : public sc_core::sc_module {
 public:
  ClockedModule(const sc_core::sc_module_name& name, Clock& clock);
  Clock& clock() { return *clock_; }
  const Clock& clock() const { return *clock_; }

 protected:
  virtual void tick() = 0;
  Cycle now() const { return clock_->now(); }

 private:
  void run();
  Clock* clock_;
};

}  // namespace heddle
