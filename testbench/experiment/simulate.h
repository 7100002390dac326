#pragma once

// Simulates one configuration from construction to results. May be called once per process.

#include <vector>

#include "models/core/config_node.h"
#include "testbench/run/run_parameters.h"

namespace heddle::experiment {

/// Runs the configuration and returns the contents of result.json. Results of analyses are under "analysis".
/// With output.profile, counts by kernel and PTX line are under "profile". Files are written as the
/// parameters request. `priced`: configurations with the technologies that will price the result; the
/// technologies are checked before the first cycle. Throws Error.
ConfigNode simulate(const run::RunParameters& parameters, const std::vector<run::RunParameters>& priced = {});

/// Returns "equal", "DIFFERENT" or "unchecked" from a result.json.
std::string check_of(const ConfigNode& result);

}  // namespace heddle::experiment
