#pragma once

// Cross-lane operations except shfl: vote, match, activemask and redux. They are compiled once for all hosts;
// vector instructions would not make them faster.

#include "models/isa/lane_operands.h"

namespace heddle::isa::lanes {

/// Returns nullptr for other operations and for forms that PTX does not define.
LaneFunction find_cross_lane(const Instruction& instruction);

}  // namespace heddle::isa::lanes
