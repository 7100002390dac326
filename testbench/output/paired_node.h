#pragma once

// The places of a run that estimates by paired places (estimate.paired_share), as results keep them: result.json, program.json.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/run/launch_estimate.h"

namespace heddle::output {

/// A list; energies in nJ, of a run that has an account.
ConfigNode paired_node(const std::vector<run::PairedPlace>& paired);
/// The same back. Throws Error for what is no such list.
std::vector<run::PairedPlace> paired_of(const ConfigNode& places);

}  // namespace heddle::output
