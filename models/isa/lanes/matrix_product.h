#pragma once

// Lane functions of matrix instructions. Like cross-lane operations they need the values of all lanes.

#include "models/isa/lane_operands.h"

namespace heddle::isa::lanes {

/// Returns the lane function of a matrix instruction, or nullptr for another instruction or a combination of
/// types that PTX does not define.
LaneFunction find_matrix_product(const Instruction& instruction);

}  // namespace heddle::isa::lanes
