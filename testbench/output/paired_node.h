#pragma once

// Stores the windows of two estimates in result.json and program.json. These estimates are compared with each other
// (estimate.paired_share). A window is a group of consecutive CTAs that are timed. Both estimates time the same
// windows.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::output {

/// Returns the measured windows as a list. Energies are in nJ; without an energy account, the list has no energies.
ConfigNode paired_node(const std::vector<estimate::PairedPlace>& paired);
/// Reads a list that paired_node() has made. Throws Error if the list is malformed.
std::vector<estimate::PairedPlace> paired_of(const ConfigNode& places);

}  // namespace heddle::output
