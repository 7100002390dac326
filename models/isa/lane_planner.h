#pragma once

// Interface of lane planners. A lane planner assigns the threads of an instruction to the physical lanes of a
// unit. The issue stage calls plan() to check whether an instruction could issue, and again when it issues.

#include "models/core/ids.h"
#include "models/isa/lane_plan.h"
#include "models/isa/opcode.h"

namespace heddle {

struct LanePlanView {
  Cycle now = 0;
  std::size_t partition = 0;
  isa::UnitClass unit = isa::UnitClass::int_;
  isa::OpClass op_class = isa::OpClass::int_add;
  LaneMask threads = 0;
};

class LanePlanner {
 public:
  virtual ~LanePlanner() = default;
  /// Returns the lane plan for an instruction that issues in this cycle: nullptr (each thread in its own
  /// lane), a constant plan, or `storage`. The plan executes all of `threads`. Calls with equal views in the
  /// same cycle must return equal plans. The issue stage checks the lanes of the plan for all active threads.
  /// The guard may later disable some of these threads. Therefore a plan for fewer threads must not need more
  /// lanes.
  virtual const LanePlan* plan(const LanePlanView& view, LanePlan& storage) = 0;
  virtual LaneMask lanes(const LanePlanView& view) {
    LanePlan storage;
    const LanePlan* planned = plan(view, storage);
    return planned ? planned->lanes() : view.threads;
  }
  /// Returns the lanes of the unit that instructions of this class avoid in this cycle, so that the lanes can
  /// sleep. An instruction may still use these lanes if its threads must stay in their own lanes.
  virtual LaneMask spared(std::size_t /*partition*/, isa::UnitClass) const { return 0; }
  /// Returns true if the run need not check the plans, because tests check that every plan executes each
  /// thread exactly once.
  virtual bool proven() const { return false; }
};

/// Returns true if threads of the instruction may execute in lanes other than their own: for all arithmetic
/// except cross-lane operations.
constexpr bool may_move_lanes(isa::UnitClass unit, isa::OpClass op_class) {
  return (unit == isa::UnitClass::int_ || unit == isa::UnitClass::fp || unit == isa::UnitClass::sfu) &&
         op_class != isa::OpClass::cross_lane;
}

}  // namespace heddle
