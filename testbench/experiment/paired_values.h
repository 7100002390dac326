#pragma once

// Ratio of two variants' cycles when both are estimated at paired places (estimate.paired_share).

#include <optional>

#include "testbench/estimate/paired_places.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

/// Returns nothing if a run has no paired places.
std::optional<estimate::PairedDifference> paired_difference(const PointValues& first,
                                                            const PointValues& other);

}  // namespace heddle::experiment
