#pragma once

// Terminal summary of a run.

#include <string>

#include "testbench/run/run_session.h"

namespace heddle::output {

/// Program, machine and policies: printed before the run.
std::string make_heading(const run::RunParameters& parameters);

/// For each launch and in total: IPC, occupancy, stall reasons, register file, units, memory; then the check.
std::string make_summary(run::RunSession& session);

/// Name of a part with the parameters that were set: "two-level(active_warps=8)".
std::string part_text(const ConfigNode& part);
std::string parts_text(const std::vector<ConfigNode>& parts);

}  // namespace heddle::output
