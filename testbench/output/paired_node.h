#pragma once

// Paired places of an estimated run (estimate.paired_share), as result.json and program.json store them.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::output {

/// A list; energies in nJ if the run has an account.
ConfigNode paired_node(const std::vector<estimate::PairedPlace>& paired);
/// Reads such a list. Throws Error for a malformed one.
std::vector<estimate::PairedPlace> paired_of(const ConfigNode& places);

}  // namespace heddle::output
