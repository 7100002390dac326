#pragma once

// Stores CTA windows that are timed in both of two compared estimates (estimate.paired_share) in result.json
// and program.json.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::output {

/// Returns the measured CTA windows as a list. Energies are in nJ; without an energy account, the list has
/// none.
ConfigNode paired_node(const std::vector<estimate::PairedPlace>& paired);
/// Reads such a list. Throws Error if the list is malformed.
std::vector<estimate::PairedPlace> paired_of(const ConfigNode& places);

}  // namespace heddle::output
