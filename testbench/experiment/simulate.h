#pragma once

// One configuration from construction to results, as a program does once a process.

#include <vector>

#include "models/core/config_node.h"
#include "testbench/run/run_parameters.h"

namespace heddle::experiment {

/// The contents of result.json, what analyses found under "analysis", and with output.profile the counts by kernel
/// and PTX line under "profile"; files go where the parameters say.
/// `priced`: the configuration with the technologies that the result will be priced with; they are tried before the first
/// cycle. Throws Error.
ConfigNode simulate(const run::RunParameters& parameters,
                    const std::vector<run::RunParameters>& priced = {});

/// "equal", "DIFFERENT" or "unchecked", from a result.json.
std::string check_of(const ConfigNode& result);

}  // namespace heddle::experiment
