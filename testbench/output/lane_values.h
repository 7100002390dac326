#pragma once

// Writes the values of a register's lanes as short text.

#include <string>

#include "models/core/lanes.h"
#include "models/isa/types.h"

namespace heddle::output {

/// Returns the values of the lanes in `mask`. If all values are equal, returns one value. If the values
/// change by the same step from lane to lane (not for f32), returns the value of the first lane, and the
/// step. Otherwise returns the value of each lane, with "-" for lanes outside `mask`. Values of type f32 are
/// decimal, all others hexadecimal.
std::string lane_values(const LaneVec& values, LaneMask mask, isa::DataType type);

}  // namespace heddle::output
