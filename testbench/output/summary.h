#pragma once

// Makes the summary of a run for the terminal.

#include <string>

#include "testbench/run/run_session.h"

namespace heddle::output {

std::string make_heading(const run::RunParameters& parameters);

/// Returns IPC, occupancy, stall reasons, register file, units and memory for each launch and in total, and
/// then the result of the check.
std::string make_summary(run::RunSession& session);

/// Returns a part of the configuration as text, such as "two-level(active_warps=8)".
std::string part_text(const ConfigNode& part);
std::string parts_text(const std::vector<ConfigNode>& parts);

}  // namespace heddle::output
