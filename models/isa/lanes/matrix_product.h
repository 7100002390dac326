#pragma once

// Lane functions of matrix instructions. They need the values of all lanes, like cross-lane operations.

#include "models/isa/lane_operands.h"

namespace heddle::isa::lanes {

/// Returns the lane function of a matrix instruction. Returns nullptr for other instructions, and for
/// combinations of types that PTX does not define.
LaneFunction find_matrix_product(const Instruction& instruction);

}  // namespace heddle::isa::lanes
