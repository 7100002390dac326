#pragma once

// Ratio of two variants' cycles, for estimated runs that timed the same CTAs (estimate.paired_share).

#include <optional>

#include "testbench/estimate/paired_places.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

/// Returns the ratio of the cycles of `other` to the cycles of `first`, with its confidence interval. Returns
/// nothing if the runs did not time the same CTAs.
std::optional<estimate::PairedDifference> paired_difference(const PointValues& first,
                                                            const PointValues& other);

}  // namespace heddle::experiment
