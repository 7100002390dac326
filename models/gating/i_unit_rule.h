#pragma once

// Rule of a gating technique for instructions between issue and unit. Without a rule, an instruction goes to
// any unit that accepts it, and leaves its collector when the unit has room.

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/power_state.h"
#include "models/isa/opcode.h"

namespace heddle {

/// An instruction for a unit of its class. `unit` is valid after issue.
struct UnitUse {
  std::size_t partition = 0;
  isa::UnitClass unit_class = isa::UnitClass::int_;
  LaneMask lanes = 0;  ///< lanes that the instruction needs
  int unit = 0;
};

class UnitRule {
 public:
  virtual ~UnitRule() = default;
  /// Units that an instruction of cycle `now` should go to, among those `able` to accept it.
  virtual DomainSet choices(Cycle now, const UnitUse& use, DomainSet able) = 0;
  /// The instruction has issued to this unit.
  virtual void issued(Cycle now, const UnitUse& use) = 0;
  /// True if the instruction may leave its collector in cycle `now`.
  virtual bool may_enter(Cycle now, const UnitUse& use) = 0;
  /// The instruction has entered its unit in cycle `at`. Throws InternalError if this was not allowed.
  virtual void entered(Cycle at, const UnitUse& use) = 0;
};

}  // namespace heddle
