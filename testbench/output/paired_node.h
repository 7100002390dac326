#pragma once

// Stores the paired places of an estimated run (estimate.paired_share) in result.json and program.json.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::output {

/// Returns a list of the places. Energies are in nJ and present only if the run has an account.
ConfigNode paired_node(const std::vector<estimate::PairedPlace>& paired);
/// Reads such a list. Throws Error for a malformed one.
std::vector<estimate::PairedPlace> paired_of(const ConfigNode& places);

}  // namespace heddle::output
