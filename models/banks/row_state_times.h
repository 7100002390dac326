#pragma once

// Sums the cycles that rows of tri-modal banks spend in each state: on, waking, drowsy, off (Abdel-Majeed
// 2016, 5.3). When a row enters a state, the class subtracts the number of the cycle from the state's sum.
// When the row leaves the state, it adds the number. The class never has to scan all rows.

#include <string>
#include <vector>

#include "models/banks/i_register_power.h"
#include "models/core/stats.h"

namespace heddle {

class RowStateTimes {
 public:
  /// `off`: true if all rows are off at the start, false if they are drowsy.
  RowStateTimes(std::uint64_t rows, bool off, Cycle wake_up_cycles, const StatsScope& stats);

  void allocated(Cycle now) {
    off_rows_.leave(now);
    drowsy_rows_.enter(now);
  }
  void freed(Cycle now) {
    drowsy_rows_.leave(now);
    off_rows_.enter(now);
  }
  /// Moves rows from drowsy to waking in cycle `began`. They are on from cycle `on_from`.
  void woke(Cycle began, Cycle on_from, std::uint64_t rows = 1) {
    kept_awake(began, rows);
    wake_sum_ += rows * (on_from - began);
    becoming_on(on_from).rows += rows;
  }
  /// Corrects the counts for rows that stayed awake although they were counted as drowsy from cycle `began`
  /// on. Counts the time since `began` as awake time instead.
  void kept_awake(Cycle began, std::uint64_t rows = 1) {
    drowsy_rows_.leave(began, rows);
    awake_rows_.enter(began, rows);
  }
  /// Moves `rows` awake rows to other states in cycle `at`. The argument `off` is the number of rows among them
  /// that become off; the other rows become drowsy.
  void ended(Cycle at, std::uint64_t rows, std::uint64_t off) {
    awake_rows_.leave(at, rows);
    drowsy_rows_.enter(at, rows - off);
    off_rows_.enter(at, off);
  }
  /// Corrects the waking time of a row that became drowsy in cycle `ended`, while it was still waking. The
  /// time until cycle `on_from`, in which the row would have been on, was counted in advance.
  void never_on(Cycle on_from, Cycle ended) {
    wake_sum_ -= on_from - ended;
    --becoming_on(on_from).rows;
  }

  std::uint64_t awake_rows() const { return awake_rows_.rows; }
  void settle(Cycle cycle);
  void begin(Cycle cycle);
  RegisterPower::Rule rule() const;

 private:
  struct StateTime {
    /// `rows`: number of rows in this power state. `sum`: when a row leaves the state, the number of the cycle
    /// is added; when a row enters the state, this number is subtracted. The total time in the state until
    /// cycle c is sum + rows * c.
    std::uint64_t rows = 0, sum = 0;
    std::uint64_t reported = 0;
    void enter(Cycle at, std::uint64_t count = 1) {
      rows += count;
      sum -= count * at;
    }
    void leave(Cycle at, std::uint64_t count = 1) {
      rows -= count;
      sum += count * at;
    }
    std::uint64_t until(Cycle cycle) const { return sum + rows * cycle; }
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
  std::vector<BecomingOn> becoming_on_;
  StateTime awake_rows_, drowsy_rows_, off_rows_;
  StateTime time_{1, 0};
  std::uint64_t wake_sum_ = 0, wake_reported_ = 0;
  Counter &on_, &wake_, &drowsy_, &off_;
};

}  // namespace heddle
