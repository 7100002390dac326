#pragma once

// Interface through which the common time base (time_base.h) runs the ticks of a clock.

#include <cstddef>
#include <cstdint>
#include <systemc>

#include "models/time/leash.h"

namespace heddle {

class Ticking {
 protected:
  ~Ticking() = default;
  virtual void run_tick() = 0;
  /// Completes a tick that has set `more_` (the clock has observers, or a module threw an exception). Must be
  /// called after each such tick. Calls the observers, or reports the exception.
  virtual void after_tick() = 0;
  /// Runs all ticks up to time `end`. While the clock must not run ahead (leash_), runs them up to time
  /// `base`. If a tick sets `more_` (a module failed), stops after this tick and stores its time in
  /// failed_at_.
  virtual void run_to(std::uint64_t base, std::uint64_t end) = 0;
  /// Returns true if run_to() would run a tick.
  virtual bool runs_in(std::uint64_t base, std::uint64_t end) const = 0;
  bool more_ = false;
  Leash leash_;
  std::uint64_t failed_at_ = ~std::uint64_t{0};

 private:
  friend class TickTeam;
  friend class TimeBase;
  friend class Clock;
  std::size_t number_ = 0;
  bool runs_ahead_ = false;
  sc_core::sc_event timer_;
};

}  // namespace heddle
