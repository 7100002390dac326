#pragma once

// The terminal summary of a run.

#include <string>

#include "testbench/run/run_session.h"

namespace heddle::output {

/// What runs, on what, with which policies: printed before the run.
std::string make_heading(const run::RunParameters& parameters);

/// Per launch and in total: IPC, occupancy, stall reasons, register file, units, memory; then the check.
std::string make_summary(run::RunSession& session);

/// The name of a part, with the plain parameters that were given: "two-level(active_warps=8)".
std::string part_text(const ConfigNode& part);
std::string parts_text(const std::vector<ConfigNode>& parts);

}  // namespace heddle::output
