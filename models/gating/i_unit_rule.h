#pragma once

// What a way of gating may say of instructions between their issue and their unit. Without a rule, an instruction goes to
// any unit that takes it, and leaves its collector when that has room.

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
  /// Of the units `able` to take it, those that an instruction of cycle `now` is to go to.
  virtual DomainSet choices(Cycle now, const UnitUse& use, DomainSet able) = 0;
  /// It has issued, to that unit.
  virtual void issued(Cycle now, const UnitUse& use) = 0;
  /// Whether it may leave its collector in cycle `now`.
  virtual bool may_enter(Cycle now, const UnitUse& use) = 0;
  /// It has entered its unit with cycle `at`: InternalError if it must not have.
  virtual void entered(Cycle at, const UnitUse& use) = 0;
};

}  // namespace heddle
