#pragma once

// What a time base runs: a clock, as its time base sees it.

#include <cstddef>
#include <systemc>

namespace heddle {

/// Told at the times that it has asked for.
class Ticking {
 protected:
  ~Ticking() = default;
  virtual void run_tick() = 0;
  /// What the tick has left to do, where it has set `more_`.
  virtual void after_tick() = 0;
  bool more_ = false;

 private:
  friend class TickTeam;
  friend class TimeBase;
  friend class Clock;
  std::size_t number_ = 0;  ///< in its time base
  bool runs_ahead_ = false;
  sc_core::sc_event timer_;
};

}  // namespace heddle
