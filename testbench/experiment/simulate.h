#pragma once

// Simulates one configuration from construction to results. Call once per process.

#include <vector>

#include "models/core/config_node.h"
#include "testbench/run/run_parameters.h"

namespace heddle::experiment {

/// Returns the contents of result.json. Its object "analysis" has the results of analyses, and with
/// output.profile, its object "profile" has counts by PTX line. `priced`: configurations whose technologies
/// will price the result later; their technologies are checked before the first cycle. Throws Error.
ConfigNode simulate(const run::RunParameters& parameters, const std::vector<run::RunParameters>& priced = {});

std::string check_of(const ConfigNode& result);

}  // namespace heddle::experiment
