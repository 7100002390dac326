#pragma once

// Interface of parts that choose the lanes in which an instruction executes. The issue stage calls plan() to
// check whether an instruction could issue, and again when it issues.

#include "models/core/ids.h"
#include "models/isa/lane_plan.h"
#include "models/isa/opcode.h"

namespace heddle {

struct LanePlanView {
  Cycle now = 0;
  std::size_t partition = 0;
  isa::UnitClass unit = isa::UnitClass::int_;
  isa::OpClass op_class = isa::OpClass::int_add;
  LaneMask threads = 0;  ///< executing threads; never empty
};

class LanePlanner {
 public:
  virtual ~LanePlanner() = default;
  /// Returns the plan for an instruction that issues in this cycle: nullptr for the identity, a constant plan
  /// of the planner, or `storage`, filled in. The plan serves all of `threads`. Within a cycle equal views
  /// give equal plans. A subset of the threads never needs a lane that the whole set does not need. The issue
  /// stage may therefore check with the active mask before the guard is evaluated.
  virtual const LanePlan* plan(const LanePlanView& view, LanePlan& storage) = 0;
  /// Returns only the lanes of the plan.
  virtual LaneMask lanes(const LanePlanView& view) {
    LanePlan storage;
    const LanePlan* planned = plan(view, storage);
    return planned ? planned->lanes() : view.threads;
  }
  /// Lanes that no instruction of the class uses in this cycle, except instructions that must stay in their
  /// own lanes.
  virtual LaneMask spared(std::size_t /*partition*/, isa::UnitClass) const { return 0; }
  /// True if tests prove that every plan serves each thread exactly once, so that plans are not checked at
  /// run time.
  virtual bool proven() const { return false; }
};

/// True for instructions whose threads may execute in lanes other than their own: all arithmetic except
/// cross-lane operations, which read their neighbours' lanes.
constexpr bool may_move_lanes(isa::UnitClass unit, isa::OpClass op_class) {
  return (unit == isa::UnitClass::int_ || unit == isa::UnitClass::fp || unit == isa::UnitClass::sfu) &&
         op_class != isa::OpClass::cross_lane;
}

}  // namespace heddle
