#pragma once

// Why the oldest segment of the global pipe waits, and how long segments have waited.

#include "models/core/ids.h"
#include "models/core/stats.h"

namespace heddle {

class SegmentStall {
 public:
  enum Reason : std::uint8_t { none, mshr, merges, memory };

  explicit SegmentStall(const StatsScope& s)
      : mshr_(s.add("stall_mshr", "cycles", "a segment waited for a free MSHR")),
        merges_(s.add("stall_merges", "cycles", "a segment waited for an MSHR with room for one more")),
        memory_(s.add("stall_memory", "cycles", "a segment waited for the memory edge")) {}

  Reason reason() const { return reason_; }
  /// It waits from `now` on. True if it does.
  bool begin(Cycle now, Reason reason) {
    reason_ = reason;
    since_ = now;
    return reason != none;
  }
  /// It is tried again.
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
