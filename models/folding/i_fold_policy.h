#pragma once

// Family "fold policy": decides whether INT and FP instructions fold when they issue (Abdel-Majeed 2016,
// 4.3.1.1). Plain C++, one object for each SM partition: its schedulers share the lanes.
//
// The policy is called before any issue of a cycle, and its answer holds for all of that cycle. It is called
// in every cycle that an answer names as `again`, and may be called in any other; until then its answer must
// stay the same. In cycles in which nothing runs on the SM the counts are 0.

#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

struct FoldView {
  Cycle now = 0;
  /// Active warps whose next instruction is of the type, at the end of the cycle before (Abdel-Majeed 2016:
  /// INT-Count, FP-Count).
  int int_count = 0, fp_count = 0;
  /// Issue slots that were used since the kernel began, by control instructions too.
  std::uint64_t issued = 0;
};

struct FoldDecision {
  bool int_ = false, fp = false;
  Cycle again = kNever;  ///< the next cycle in which the answer may be another one
  bool phase_off =
      false;  ///< a phase begins in this cycle in which nothing will fold, for want of free slots

  /// In which unit classes; `again` is about time.
  bool operator==(const FoldDecision& o) const { return int_ == o.int_ && fp == o.fp; }
};

class FoldPolicy {
 public:
  struct Context {
    int slots = 1;  ///< issue slots of the partition in a cycle
  };
  static constexpr const char* kFamily = "fold policy";
  static constexpr const char* kPlace = "gpu.sm.folding.policy";
  virtual ~FoldPolicy() = default;

  virtual FoldDecision decide(const FoldView& view) = 0;
  /// A kernel begins with cycle `now`, whose call comes next.
  virtual void begin(Cycle /*now*/) {}
  /// For either type there comes, again and again, a time of at least so many cycles in which it folds all along, or
  /// not at all. Lanes that sleep for a while whatever waits must come to be on together within it.
  virtual Cycle steady_cycles() const { return kNever; }
};

/// Probe point: every decision.
struct FoldProbeView : FoldView {
  bool begins = false;  ///< `now` is the first cycle of a kernel
};

}  // namespace heddle
