#pragma once

// Simulates one configuration from construction to results. May be called once per process.

#include <vector>

#include "models/core/config_node.h"
#include "testbench/run/run_parameters.h"

namespace heddle::experiment {

/// Returns the contents of result.json, with results of analyses under "analysis" and, with output.profile,
/// counts by kernel and PTX line under "profile". Files are written as the parameters request. `priced`:
/// configurations with the technologies that price the result later; they are checked before the first cycle.
/// Throws Error.
ConfigNode simulate(const run::RunParameters& parameters, const std::vector<run::RunParameters>& priced = {});

/// Returns "equal", "DIFFERENT" or "unchecked" from a result.json.
std::string check_of(const ConfigNode& result);

}  // namespace heddle::experiment
