#pragma once

// Models the ports of the renaming table (Jeon 2015, 7.1, Fig. 6). Each bank of the table serves one look-up
// a cycle. Look-ups of one bank follow each other.

#include <algorithm>
#include <vector>

#include "models/core/stats.h"
#include "models/ports/register_access.h"

namespace heddle {

class TableLookUps {
 public:
  /// A look-up: the cycle in which the table bank serves it, and the access's earliest service before it.
  struct Taken {
    Cycle at, earliest;
  };

  TableLookUps(int banks, Cycle latency, const StatsScope& stats)
      : free_at_(static_cast<std::size_t>(banks)),
        latency_(latency),
        count_(stats.add("look_ups", "accesses", "look-ups of reads and writes in the renaming table")),
        conflicts_(stats.add("conflict_cycles", "access-cycles",
                             "cycles that look-ups waited for a bank of the table")) {}

  Cycle latency() const { return latency_; }
  std::uint64_t count() const { return count_.value(); }

  /// Looks up the access's register. The access can be served `latency` cycles after the look-up.
  Taken take(Cycle now, RegisterAccess& access) {
    const Cycle earliest = access.earliest_service, at = take_port(now, access.home);
    access.earliest_service = std::max(earliest, now + 1) + (at - now) + latency_;
    ++count_;
    return {at, earliest};
  }
  /// Undoes a look-up. Several must be undone in reverse order.
  void undo(Cycle now, RegisterAccess& access, const Taken& taken) {
    free_at_[bank_of(access.home)] = taken.at;
    access.earliest_service = taken.earliest;
    conflicts_ -= taken.at - now;
    count_ -= 1;
  }
  /// Looks up a result at the announcement of its instruction. It takes a port. The later write needs no
  /// look-up.
  void take_for_result(Cycle now, RegId reg) { take_port(now, reg); }
  /// Counts a write whose entry was looked up at the announcement.
  void note_taken_along() { ++count_; }

 private:
  std::size_t bank_of(RegId reg) const { return reg.value % free_at_.size(); }
  Cycle take_port(Cycle now, RegId reg) {
    Cycle& free = free_at_[bank_of(reg)];
    const Cycle at = std::max(now, free);
    free = at + 1;
    conflicts_ += at - now;
    return at;
  }

  std::vector<Cycle> free_at_;  ///< by bank: next cycle without a look-up
  Cycle latency_;
  Counter &count_, &conflicts_;
};

}  // namespace heddle
