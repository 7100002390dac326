#pragma once

#include "models/isa/types.h"

namespace heddle::isa {

/// Whether addresses of this state space have 32 bits, whatever the width of the register that holds one: what is above
/// is not looked at (PTX ISA, "Addresses as Operands": truncated to the width of the state space).
constexpr bool is_narrow(Space space) { return space == Space::shared || space == Space::local; }

}  // namespace heddle::isa
