#pragma once

// Executes mma and movmatrix in the reference. The code is separate from the code of the timed units
// (models/isa/lanes/matrix_product.h), so that each checks the other.

#include "models/isa/lane_operands.h"

namespace heddle::reference {

/// Returns the function that executes a matrix instruction. Throws InternalError for types that PTX does not
/// define.
isa::LaneFunction matrix_function(const isa::Instruction& instruction);

}  // namespace heddle::reference
