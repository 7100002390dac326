#pragma once

// Rule of a gating technique for instructions between issue and unit. Without a rule, an instruction goes to
// any unit that accepts it, and leaves its collector when the unit has room.

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/power_state.h"
#include "models/isa/opcode.h"

namespace heddle {

/// An instruction for one of the units of its class; `unit` is bound once it has issued.
struct UnitUse {
  std::size_t partition = 0;
  isa::UnitClass unit_class = isa::UnitClass::int_;
  LaneMask lanes = 0;  ///< that it needs
  int unit = 0;
};

class UnitRule {
 public:
  virtual ~UnitRule() = default;
  /// Units that an instruction of cycle `now` should go to, among those `able` to accept it.
  virtual DomainSet choices(Cycle now, const UnitUse& use, DomainSet able) = 0;
  /// It has issued, to that unit.
  virtual void issued(Cycle now, const UnitUse& use) = 0;
  /// Whether it may leave its collector in cycle `now`.
  virtual bool may_enter(Cycle now, const UnitUse& use) = 0;
  /// It has entered its unit with cycle `at`: InternalError if it must not have.
  virtual void entered(Cycle at, const UnitUse& use) = 0;
};

}  // namespace heddle
