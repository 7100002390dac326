#pragma once

// Interface of gating techniques that choose the unit of an instruction at issue, or delay its entry into the
// unit. Without such a technique, an instruction goes to any unit that accepts it, as soon as the unit has
// space.

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/power_state.h"
#include "models/isa/opcode.h"

namespace heddle {

/// An instruction and the unit that it uses. `unit` is valid only after the instruction has issued.
struct UnitUse {
  std::size_t partition = 0;
  isa::UnitClass unit_class = isa::UnitClass::int_;
  LaneMask lanes = 0;
  int unit = 0;
};

class UnitRule {
 public:
  virtual ~UnitRule() = default;
  /// `able`: units that accept an instruction which issues in cycle `now`. Returns the units of this set that
  /// the technique prefers.
  virtual DomainSet choices(Cycle now, const UnitUse& use, DomainSet able) = 0;
  virtual void issued(Cycle now, const UnitUse& use) = 0;
  /// True if the instruction may leave its operand collector and enter its unit in cycle `now`.
  virtual bool may_enter(Cycle now, const UnitUse& use) = 0;
  /// Records that the instruction enters its unit in cycle `at`. Throws InternalError if may_enter() returned
  /// false for this cycle.
  virtual void entered(Cycle at, const UnitUse& use) = 0;
};

}  // namespace heddle
