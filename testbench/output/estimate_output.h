#pragma once

// Writes a run's estimates, marked as estimates (docs/estimates.md).

#include <string>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// Returns "estimate" of a launch in result.json, with counters summed over units of the same kind.
ConfigNode launch_estimate_node(run::RunSession& session, const estimate::LaunchEstimate& estimate);
/// Returns "estimate" of "total" in result.json, with the counters of every unit and energies by structure.
ConfigNode total_estimate_node(run::RunSession& session, const estimate::LaunchEstimate& estimate);

/// Returns the lines of the terminal summary: timed share, intervals, and the checked share of the outputs.
std::string estimate_summary(const run::RunResult& result);

/// 1234567 becomes "1 234 567".
std::string grouped(std::uint64_t value);

}  // namespace heddle::output
