#pragma once

// The ports of the renaming table (Jeon 2015, 7.1, Fig. 6): each of its banks takes one look-up a cycle, and look-ups of one bank
// follow each other.

#include <algorithm>
#include <vector>

#include "models/core/stats.h"
#include "models/ports/register_access.h"

namespace heddle {

class TableLookUps {
 public:
  /// A look-up: the cycle in which its bank takes it, and the access's earliest service before it.
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

  /// The access can be served `latency` cycles after its look-up.
  Taken take(Cycle now, RegisterAccess& access) {
    const Cycle earliest = access.earliest_service, at = take_port(now, access.home);
    access.earliest_service = std::max(earliest, now + 1) + (at - now) + latency_;
    ++count_;
    return {at, earliest};
  }
  /// As if the look-up had not come; of several, the last one first.
  void undo(Cycle now, RegisterAccess& access, const Taken& taken) {
    free_at_[bank_of(access.home)] = taken.at;
    access.earliest_service = taken.earliest;
    conflicts_ -= taken.at - now;
    count_ -= 1;
  }
  /// A result whose entry is looked up as its instruction is announced: it takes a port, and its write looks up nothing.
  void take_for_result(Cycle now, RegId reg) { take_port(now, reg); }
  /// A write that takes along what was looked up before.
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

  std::vector<Cycle> free_at_;  ///< by bank: the next cycle without a look-up
  Cycle latency_;
  Counter &count_, &conflicts_;
};

}  // namespace heddle
