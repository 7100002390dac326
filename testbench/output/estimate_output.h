#pragma once

// Output of a run's estimates, marked as estimates everywhere (docs/estimates.md).

#include <string>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// "estimate" of a launch in result.json: counters are summed over like units.
ConfigNode launch_estimate_node(run::RunSession& session, const estimate::LaunchEstimate& estimate);
/// "estimate" of the total, with every counter, and energies by structure.
ConfigNode total_estimate_node(run::RunSession& session, const estimate::LaunchEstimate& estimate);

/// Lines of the summary: the timed share, the intervals, the checked share of the outputs.
std::string estimate_summary(const run::RunResult& result);

/// 1234567 -> "1 234 567".
std::string grouped(std::uint64_t value);

}  // namespace heddle::output
