#pragma once

// Lane planners (assignments of threads to lanes) for tests. These planners move every thread to another
// lane. The move must not change results.

#include "models/isa/lane_planner.h"

namespace heddle::testing_support {

/// Thread i executes in lane 31 - i. There is one pass.
class MirrorPlanner : public LanePlanner {
 public:
  const LanePlan* plan(const LanePlanView& view, LanePlan& plan) override {
    plan = {};
    for (LaneMask rest = view.threads; rest; rest &= rest - 1) {
      const int thread = std::countr_zero(rest);
      plan.pass[0].add(kLanes - 1 - thread, thread);
    }
    ++plans;
    return &plan;
  }
  int plans = 0;
};

/// Threads 0 to 15 execute in the first pass, threads 16 to 31 in the second pass. Both passes use lanes 0 to
/// 15. If threads 0 to 15 are all inactive, there is only the second pass.
class LowerHalfPlanner : public LanePlanner {
 public:
  const LanePlan* plan(const LanePlanView& view, LanePlan& plan) override {
    const LaneMask lower = view.threads & 0xffffu;
    if (lower == view.threads) return nullptr;
    plan = {};
    plan.passes = lower ? 2 : 1;
    for (LaneMask rest = view.threads; rest; rest &= rest - 1) {
      const int thread = std::countr_zero(rest);
      plan.pass[thread < 16 || !lower ? 0 : 1].add(thread % 16, thread);
    }
    two_passes += plan.passes == 2;
    return &plan;
  }
  int two_passes = 0;
};

}  // namespace heddle::testing_support
