#pragma once

// Interface that decides in which lanes an instruction executes. Plain C++: the issue stage calls it to check
// whether an instruction could issue, and when it issues the instruction.

#include "models/core/ids.h"
#include "models/core/lane_plan.h"
#include "models/isa/opcode.h"

namespace heddle {

struct LanePlanView {
  Cycle now = 0;
  std::size_t partition = 0;
  isa::UnitClass unit = isa::UnitClass::int_;
  isa::OpClass op_class = isa::OpClass::int_add;
  LaneMask threads = 0;  ///< that execute; not empty
};

class LanePlanner {
 public:
  virtual ~LanePlanner() = default;
  /// Plan for an instruction that issues in this cycle: nullptr for the identity, a constant plan of the
  /// planner, or `storage`, filled in. It serves all of `threads`. The answer is constant within a cycle, and
  /// fewer threads never need a lane that more of them do not (the lanes on the path are known before a guard
  /// is).
  virtual const LanePlan* plan(const LanePlanView& view, LanePlan& storage) = 0;
  /// The plan's lanes, for callers that need nothing more.
  virtual LaneMask lanes(const LanePlanView& view) {
    LanePlan storage;
    const LanePlan* planned = plan(view, storage);
    return planned ? planned->lanes() : view.threads;
  }
  /// Lanes that no instruction of the class uses in this cycle unless it has to stay in its own lanes.
  virtual LaneMask spared(std::size_t /*partition*/, isa::UnitClass) const { return 0; }
  /// Tests prove that every plan serves its threads once each: it need not be looked at again.
  virtual bool proven() const { return false; }
};

/// Instructions whose threads can execute in each other's lanes: those of the arithmetic units, but for
/// operations across lanes, which look at their neighbours.
constexpr bool may_move_lanes(isa::UnitClass unit, isa::OpClass op_class) {
  return (unit == isa::UnitClass::int_ || unit == isa::UnitClass::fp || unit == isa::UnitClass::sfu) &&
         op_class != isa::OpClass::cross_lane;
}

}  // namespace heddle
