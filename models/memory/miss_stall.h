#pragma once

// Records why the oldest access of a cache stalls (no free miss entry, or memory refuses a request), and
// counts the stall cycles.

#include <string>

#include "models/core/ids.h"
#include "models/core/stats.h"

namespace heddle {

class MissStall {
 public:
  enum Reason : std::uint8_t { none, mshr, merges, memory };

  /// `prefix`: first part of the names of the counters. `what`: name of the waiting access in the
  /// descriptions of the counters.
  MissStall(const StatsScope& s, const std::string& prefix, const std::string& what)
      : mshr_(s.add(prefix + "mshr", "cycles", what + " waited for a free MSHR")),
        merges_(s.add(prefix + "merges", "cycles", what + " waited for an MSHR with room for one more")),
        memory_(s.add(prefix + "memory", "cycles", what + " waited for the memory edge")) {}

  Reason reason() const { return reason_; }
  bool begin(Cycle now, Reason reason) {
    reason_ = reason;
    since_ = now;
    return reason != none;
  }
  void end(Cycle now) {
    Counter* const counters[] = {nullptr, &mshr_, &merges_, &memory_};
    if (reason_ != none) *counters[reason_] += now - since_;
    reason_ = none;
  }

 private:
  Reason reason_ = none;
  Cycle since_ = 0;
  Counter &mshr_, &merges_, &memory_;
};

}  // namespace heddle
