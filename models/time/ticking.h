#pragma once

// Interface of a clock for its time base.

#include <cstddef>
#include <systemc>

namespace heddle {

/// Runs at the requested times.
class Ticking {
 protected:
  ~Ticking() = default;
  virtual void run_tick() = 0;
  /// Runs the remaining work of the tick, if run_tick() has set `more_`.
  virtual void after_tick() = 0;
  bool more_ = false;

 private:
  friend class TickTeam;
  friend class TimeBase;
  friend class Clock;
  std::size_t number_ = 0;  ///< number of the clock in its time base
  bool runs_ahead_ = false;
  sc_core::sc_event timer_;
};

}  // namespace heddle
