#pragma once

// Interface through which the common time base (time_base.h) runs the ticks of a clock.

#include <cstddef>
#include <systemc>

namespace heddle {

class Ticking {
 protected:
  ~Ticking() = default;
  virtual void run_tick() = 0;
  /// Runs the remaining work of the tick. The time base calls it only if run_tick() has set `more_`.
  virtual void after_tick() = 0;
  bool more_ = false;

 private:
  friend class TickTeam;
  friend class TimeBase;
  friend class Clock;
  std::size_t number_ = 0;
  bool runs_ahead_ = false;
  sc_core::sc_event timer_;
};

}  // namespace heddle
