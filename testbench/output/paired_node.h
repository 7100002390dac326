#pragma once

// Stores in result.json and program.json the measured places that two compared estimates share
// (estimate.paired_share).

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::output {

/// Writes the measured places of an estimate as a list. Energies are in nJ, and are present only if the run
/// has an energy account.
ConfigNode paired_node(const std::vector<estimate::PairedPlace>& paired);
/// Reads a list that the function above has written. Throws Error for a malformed list.
std::vector<estimate::PairedPlace> paired_of(const ConfigNode& places);

}  // namespace heddle::output
