#pragma once

// Writes the values of a register's lanes as short text.

#include <string>

#include "models/core/lanes.h"
#include "models/isa/types.h"

namespace heddle::output {

/// Returns the values of the lanes in `mask`. If all are equal, returns one value; if they are equally
/// spaced, returns base and step. Otherwise returns the value of each lane, with "-" for lanes outside
/// `mask`. Values of type f32 are decimal, all others hexadecimal.
std::string lane_values(const LaneVec& values, LaneMask mask, isa::DataType type);

}  // namespace heddle::output
