#pragma once

// Operations across lanes but shfl: vote, match, activemask, redux. Not worth a second set.

#include "models/isa/lane_operands.h"

namespace heddle::isa::lanes {

/// nullptr for other operations and for forms that PTX does not have.
LaneFunction find_cross_lane(const Instruction& instruction);

}  // namespace heddle::isa::lanes
