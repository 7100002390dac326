#pragma once

// Makes the summary of a run for the terminal.

#include <string>

#include "testbench/run/run_session.h"

namespace heddle::output {

/// Returns the lines that are printed before the run: program, machine and policies.
std::string make_heading(const run::RunParameters& parameters);

/// Returns IPC, occupancy, stall reasons, register file, units and memory for each launch and in total, then
/// the check.
std::string make_summary(run::RunSession& session);

/// Returns the name of a part with the parameters that were set, such as "two-level(active_warps=8)".
std::string part_text(const ConfigNode& part);
std::string parts_text(const std::vector<ConfigNode>& parts);

}  // namespace heddle::output
