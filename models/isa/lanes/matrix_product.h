#pragma once

// Lane functions (each executes one instruction for all 32 lanes) of matrix instructions, which need the
// values of all lanes.

#include "models/isa/lane_operands.h"

namespace heddle::isa::lanes {

/// Returns the lane function of a matrix instruction; nullptr for all other instructions and for type
/// combinations that PTX does not define.
LaneFunction find_matrix_product(const Instruction& instruction);

}  // namespace heddle::isa::lanes
