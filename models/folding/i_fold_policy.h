#pragma once

// Family "fold policy": decides in each cycle whether INT and FP instructions that issue are folded into two
// passes (Abdel-Majeed 2016, 4.3.1.1). A policy is plain C++. There is one object for each SM partition,
// because the schedulers of a partition share the lanes.
//
// The policy is called before any issue of a cycle, and its decision holds for the whole cycle. The policy is
// called in the cycle that the last decision gives as `again`. Until then the decision must stay the same,
// although the policy may be called in any cycle. In cycles in which no warp runs on the SM, the counts of
// warps are 0.

#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

struct FoldView {
  Cycle now = 0;
  /// Active warps whose next instruction is INT or FP, at the end of the previous cycle (INT-Count and
  /// FP-Count in Abdel-Majeed 2016).
  int int_count = 0, fp_count = 0;
  /// Number of issue slots used since the kernel began, including slots for control instructions.
  std::uint64_t issued = 0;
};

struct FoldDecision {
  bool int_ = false, fp = false;
  Cycle again = kNever;  ///< next cycle in which the decision may change
  /// True in the first cycle of a phase without folding. Such a phase follows a busy phase.
  bool phase_off = false;

  /// Compares which of INT and FP fold. The member `again` is not compared.
  bool operator==(const FoldDecision& o) const { return int_ == o.int_ && fp == o.fp; }
};

class FoldPolicy {
 public:
  struct Context {
    int slots = 1;  ///< issue slots of the partition per cycle
  };
  static constexpr const char* kFamily = "fold policy";
  static constexpr const char* kPlace = "gpu.sm.folding.policy";
  virtual ~FoldPolicy() = default;

  virtual FoldDecision decide(const FoldView& view) = 0;
  /// A kernel begins in cycle `now`. The next call is decide() for this cycle.
  virtual void begin(Cycle /*now*/) {}
  /// Returns a number of cycles. For INT, and also for FP, there must repeatedly be a period of at least this
  /// length in which the decision to fold does not change. Lanes that an instruction needs, and that must
  /// first wake up, can then be on together within such a period.
  virtual Cycle steady_cycles() const { return kNever; }
};

/// Data for the probe point at which every decision of a fold policy is observed.
struct FoldProbeView : FoldView {
  bool begins = false;  ///< true if `now` is the first cycle of a kernel
};

}  // namespace heddle
