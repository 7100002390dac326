#pragma once

// What a variant makes of the cycles of another, where both are estimated at paired places (estimate.paired_share).

#include <optional>

#include "testbench/experiment/point_values.h"
#include "testbench/run/paired_places.h"

namespace heddle::experiment {

/// None where one of them has no such places.
std::optional<run::PairedDifference> paired_difference(const PointValues& first, const PointValues& other);

}  // namespace heddle::experiment
