#pragma once

// Family "fold policy": decides whether INT and FP instructions fold when they issue (Abdel-Majeed 2016,
// 4.3.1.1). Plain C++. There is one object for each SM partition, because its schedulers share the lanes.
//
// The policy is called before any issue of a cycle, and its answer holds for the whole cycle. It is called in
// every cycle that an answer returns as `again`, and may be called in any other cycle. Before `again`, its
// answer must stay the same. In cycles in which no warp runs on the SM, the counts are 0.

#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

struct FoldView {
  Cycle now = 0;
  /// Active warps whose next instruction is of this type, at the end of the previous cycle (INT-Count and
  /// FP-Count of Abdel-Majeed 2016).
  int int_count = 0, fp_count = 0;
  /// Issue slots used since the kernel began, including those of control instructions.
  std::uint64_t issued = 0;
};

struct FoldDecision {
  bool int_ = false, fp = false;
  Cycle again = kNever;  ///< next cycle in which the answer may change
  /// A phase begins in this cycle in which no instruction folds, because the last phase was busy.
  bool phase_off = false;

  /// Compares the unit classes that fold, and not `again`.
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
  /// A kernel begins in cycle `now`. decide() is called next, for this cycle.
  virtual void begin(Cycle /*now*/) {}
  /// For each of the two types, there is again and again a period of at least this many cycles in which its
  /// folding does not change. Lanes that must sleep for some time have to be on together within this period.
  virtual Cycle steady_cycles() const { return kNever; }
};

/// Probe point of every decision.
struct FoldProbeView : FoldView {
  bool begins = false;  ///< `now` is the first cycle of a kernel
};

}  // namespace heddle
