#pragma once

// Sums the cycles that the rows of tri-modal banks have been in each state (Abdel-Majeed 2016, 5.3): on,
// waking, drowsy or off. It adds up the cycles in which rows enter and leave states, and scans no rows. Plain
// C++.

#include <string>
#include <vector>

#include "models/banks/i_register_power.h"
#include "models/core/stats.h"

namespace heddle {

class RowStateTimes {
 public:
  /// `off`: all rows are off at first; otherwise drowsy.
  RowStateTimes(std::uint64_t rows, bool off, Cycle wake_up_cycles, const StatsScope& stats);

  void allocated(Cycle now) {  ///< off -> drowsy
    off_rows_.leave(now);
    drowsy_rows_.enter(now);
  }
  void freed(Cycle now) {  ///< drowsy -> off
    drowsy_rows_.leave(now);
    off_rows_.enter(now);
  }
  /// Rows change from drowsy to waking in cycle `began` and to on in cycle `on_from`.
  void woke(Cycle began, Cycle on_from, std::uint64_t rows = 1) {
    kept_awake(began, rows);
    wake_sum_ += rows * (on_from - began);
    becoming_on(on_from).rows += rows;
  }
  /// Rows that were counted as drowsy have been on since cycle `began`.
  void kept_awake(Cycle began, std::uint64_t rows = 1) {
    drowsy_rows_.leave(began, rows);
    awake_rows_.enter(began, rows);
  }
  /// Awake rows become drowsy or, `off` of them, off.
  void ended(Cycle at, std::uint64_t rows, std::uint64_t off) {
    awake_rows_.leave(at, rows);
    drowsy_rows_.enter(at, rows - off);
    off_rows_.enter(at, off);
  }
  /// One of the rows of ended() was still waking.
  void never_on(Cycle on_from, Cycle ended) {
    wake_sum_ -= on_from - ended;
    --becoming_on(on_from).rows;
  }

  std::uint64_t awake_rows() const { return awake_rows_.rows; }
  /// Makes the counters exact up to `cycle`, which is excluded. A launch may end while its last result waits
  /// for its row. Events after the end do not count, and before it the rows keep their current states. A
  /// look-ahead turns drowsy cycles into waking ones afterwards, so a difference may be negative.
  void settle(Cycle cycle);
  /// A launch begins. Cycles since the end of the last launch are not counted.
  void begin(Cycle cycle);
  RegisterPower::Rule rule() const;

 private:
  /// Rows in a state, and the cycles that rows have spent in it.
  struct StateTime {
    std::uint64_t rows = 0, sum = 0;  ///< sum: end cycles of all stays minus their begin cycles
    std::uint64_t reported = 0;       ///< part of the sum that the counter already has
    void enter(Cycle at, std::uint64_t count = 1) {
      rows += count;
      sum -= count * at;
    }
    void leave(Cycle at, std::uint64_t count = 1) {
      rows -= count;
      sum += count * at;
    }
    std::uint64_t until(Cycle cycle) const { return sum + rows * cycle; }
    /// Cycles before this one count as `before`.
    void begin(Cycle cycle, std::uint64_t before) { sum = before - rows * cycle; }
  };
  struct BecomingOn {
    Cycle from = 0;
    std::uint64_t rows = 0;
  };
  BecomingOn& becoming_on(Cycle from) {
    BecomingOn& slot = becoming_on_[from & (becoming_on_.size() - 1)];
    if (slot.from != from) slot = {from, 0};
    return slot;
  }
  std::uint64_t still_waking(Cycle cycle) const;

  std::uint64_t rows_;
  std::vector<BecomingOn> becoming_on_;  ///< by the low bits of the cycle
  StateTime awake_rows_, drowsy_rows_, off_rows_;
  StateTime time_{1, 0};  ///< cycles that are counted
  std::uint64_t wake_sum_ = 0,
                /// Cycles of the awake rows in which they were waking; part that the counter has.
      wake_reported_ = 0;
  Counter &on_, &wake_, &drowsy_, &off_;
};

}  // namespace heddle
