#pragma once

// Stores the CTA windows that two compared estimates share (estimate.paired_share) in result.json and
// program.json.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::output {

/// Writes measured CTA windows as a list. Energies are in nJ, only with an energy account.
ConfigNode paired_node(const std::vector<estimate::PairedPlace>& paired);
/// Throws Error for a malformed list.
std::vector<estimate::PairedPlace> paired_of(const ConfigNode& places);

}  // namespace heddle::output
