#pragma once

// Lane functions (each executes one instruction for all 32 lanes) of cross-lane operations except shfl: vote,
// match, activemask, redux and movmatrix. These functions are compiled only once, for all hosts, because vector
// instructions would not make them faster.

#include "models/isa/lane_operands.h"

namespace heddle::isa::lanes {

/// Returns the lane function of a vote, match, activemask or redux; nullptr for other operations and for
/// forms that PTX does not define.
LaneFunction find_cross_lane(const Instruction& instruction);

}  // namespace heddle::isa::lanes
