#pragma once

// Sums the cycles that the rows of tri-modal banks spend in each state (Abdel-Majeed 2016, 5.3): on, waking,
// drowsy or off. The class adds and subtracts the cycles in which rows enter and leave a state, so it never
// scans all rows. Plain C++.

#include <string>
#include <vector>

#include "models/banks/i_register_power.h"
#include "models/core/stats.h"

namespace heddle {

class RowStateTimes {
 public:
  /// `off`: true if all rows are off at the start, false if they are drowsy.
  RowStateTimes(std::uint64_t rows, bool off, Cycle wake_up_cycles, const StatsScope& stats);

  void allocated(Cycle now) {  ///< moves one row from off to drowsy
    off_rows_.leave(now);
    drowsy_rows_.enter(now);
  }
  void freed(Cycle now) {  ///< moves one row from drowsy to off
    drowsy_rows_.leave(now);
    off_rows_.enter(now);
  }
  /// Moves rows from drowsy to waking in cycle `began`. They are on from cycle `on_from`.
  void woke(Cycle began, Cycle on_from, std::uint64_t rows = 1) {
    kept_awake(began, rows);
    wake_sum_ += rows * (on_from - began);
    becoming_on(on_from).rows += rows;
  }
  /// Corrects rows that were counted as drowsy since cycle `began`, although a look-ahead kept them on.
  void kept_awake(Cycle began, std::uint64_t rows = 1) {
    drowsy_rows_.leave(began, rows);
    awake_rows_.enter(began, rows);
  }
  /// Moves `rows` awake rows to another state in cycle `at`: `off` rows become off, and the others become
  /// drowsy.
  void ended(Cycle at, std::uint64_t rows, std::uint64_t off) {
    awake_rows_.leave(at, rows);
    drowsy_rows_.enter(at, rows - off);
    off_rows_.enter(at, off);
  }
  /// Corrects the waking time for one row that became drowsy in cycle `ended`, before the end of its wake-up.
  void never_on(Cycle on_from, Cycle ended) {
    wake_sum_ -= on_from - ended;
    --becoming_on(on_from).rows;
  }

  std::uint64_t awake_rows() const { return awake_rows_.rows; }
  /// Brings the counters up to date for all cycles before `cycle`. Events at or after `cycle` do not count
  /// yet, because a launch may end while a row still waits for a result. A look-ahead may turn counted drowsy
  /// cycles into waking cycles, so the amount added to a counter may be negative.
  void settle(Cycle cycle);
  /// Starts a launch. Cycles between the end of the previous launch and `cycle` are not counted.
  void begin(Cycle cycle);
  RegisterPower::Rule rule() const;

 private:
  /// Number of rows in one state, and the sum of the cycles that rows have spent in the state.
  struct StateTime {
    /// sum: end cycles of all ended stays minus begin cycles of all stays. The rows' total time in the state
    /// until cycle c is therefore sum + rows * c.
    std::uint64_t rows = 0, sum = 0;
    std::uint64_t reported = 0;  ///< part of the sum that was already added to the counter
    void enter(Cycle at, std::uint64_t count = 1) {
      rows += count;
      sum -= count * at;
    }
    void leave(Cycle at, std::uint64_t count = 1) {
      rows -= count;
      sum += count * at;
    }
    std::uint64_t until(Cycle cycle) const { return sum + rows * cycle; }
    /// Restarts the sum at cycle `cycle`: all earlier cycles together count as `before`.
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
  /// rows that become on, in a ring indexed by the low bits of the cycle
  std::vector<BecomingOn> becoming_on_;
  StateTime awake_rows_, drowsy_rows_, off_rows_;
  StateTime time_{1, 0};  ///< number of cycles of all launches
  /// wake_sum_: cycles in which awake rows were still waking. wake_reported_: part of this sum that was
  /// already added to the counter.
  std::uint64_t wake_sum_ = 0, wake_reported_ = 0;
  Counter &on_, &wake_, &drowsy_, &off_;
};

}  // namespace heddle
