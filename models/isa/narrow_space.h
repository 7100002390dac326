#pragma once

#include "models/isa/types.h"

namespace heddle::isa {

/// Returns true if addresses of this state space have 32 bits. Higher bits of the address register are
/// ignored (PTX ISA, "Addresses as Operands").
constexpr bool is_narrow(Space space) { return space == Space::shared || space == Space::local; }

}  // namespace heddle::isa
