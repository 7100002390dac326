#pragma once

// One configuration from construction to results, as a program does once a process.

#include "models/core/config_node.h"
#include "testbench/run/run_parameters.h"

namespace heddle::experiment {

/// The contents of result.json, what analyses found under "analysis", and with output.profile the counts by kernel
/// and PTX line under "profile"; files go where the parameters say.
/// Throws Error.
ConfigNode simulate(const run::RunParameters& parameters);

/// "equal", "DIFFERENT" or "unchecked", from a result.json.
std::string check_of(const ConfigNode& result);

}  // namespace heddle::experiment
