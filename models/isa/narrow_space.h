#pragma once

#include "models/isa/types.h"

namespace heddle::isa {

/// Returns true if addresses of this state space have 32 bits, whatever the width of the address register.
/// Higher bits of the register are ignored (PTX ISA, "Addresses as Operands": truncated to the width of the
/// state space).
constexpr bool is_narrow(Space space) { return space == Space::shared || space == Space::local; }

}  // namespace heddle::isa
