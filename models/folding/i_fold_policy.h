#pragma once

// Interface of the fold policies. A policy decides in each cycle whether INT and FP instructions that issue
// are folded into two passes (Abdel-Majeed 2016, 4.3.1.1). Each SM partition has one policy, because its
// schedulers share the lanes.
//
// The policy is called before any issue of a cycle, and its decision holds for the whole cycle. In each
// decision, the policy sets the cycle `again` in which it must be called next. If the policy is called
// earlier, it must return the same decision. While no warp runs on the SM, int_count and fp_count are 0.

#include "models/core/ids.h"
#include "models/core/probe.h"

namespace heddle {

struct FoldView {
  Cycle now = 0;
  /// Numbers of active warps whose next instruction is INT or FP, at the end of the previous cycle (INT-Count
  /// and FP-Count in Abdel-Majeed 2016).
  int int_count = 0, fp_count = 0;
  std::uint64_t issued = 0;
};

struct FoldDecision {
  bool int_ = false, fp = false;
  Cycle again = kNever;  ///< next cycle in which the decision may change
  /// Some policies divide time into phases of a fixed number of cycles. True in the first cycle of a phase
  /// without folding: most issue slots of the previous phase were used.
  bool phase_off = false;

  bool operator==(const FoldDecision& o) const { return int_ == o.int_ && fp == o.fp; }
};

class FoldPolicy {
 public:
  struct Context {
    int slots = 1;
  };
  static constexpr const char* kFamily = "fold policy";
  static constexpr const char* kPlace = "gpu.sm.folding.policy";
  virtual ~FoldPolicy() = default;

  virtual FoldDecision decide(const FoldView& view) = 0;
  /// Called when a kernel begins in cycle `now`. The next call of the policy is decide() for this cycle.
  virtual void begin(Cycle /*now*/) {}
  /// Smallest number of cycles between two changes of the policy's decision for INT (or for FP). The lanes
  /// that an instruction needs must be able to wake up within this time.
  virtual Cycle steady_cycles() const { return kNever; }
};

struct FoldProbeView : FoldView {
  bool begins = false;
};

}  // namespace heddle
