#pragma once

// Simulates one configuration from construction to results. Call once per process.

#include <vector>

#include "models/core/config_node.h"
#include "testbench/run/run_parameters.h"

namespace heddle::experiment {

/// Simulates the configuration `parameters` and returns the contents of its result.json. The object
/// "analysis" of this result has the results of analyses, and with output.profile, the object "profile" has
/// counts by PTX line. `priced`: configurations whose technologies will later compute energies from the
/// counters of this run; these technologies are checked before the first cycle. Throws Error.
ConfigNode simulate(const run::RunParameters& parameters, const std::vector<run::RunParameters>& priced = {});

std::string check_of(const ConfigNode& result);

}  // namespace heddle::experiment
