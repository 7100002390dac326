#pragma once

// Writes a run's estimates. The output marks them as estimates (docs/estimates.md).

#include <string>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// Returns the member "estimate" of a launch in result.json, with counters summed over units of the same
/// kind.
ConfigNode launch_estimate_node(run::RunSession& session, const estimate::LaunchEstimate& estimate);
/// Returns the member "estimate" of "total" in result.json, with the counters of every unit and energies by
/// structure.
ConfigNode total_estimate_node(run::RunSession& session, const estimate::LaunchEstimate& estimate);

/// Returns the lines of the terminal summary: share of timed CTAs, confidence intervals, and share of the outputs that
/// was compared.
std::string estimate_summary(const run::RunResult& result);

/// Returns a number with blanks between groups of three digits: 1234567 becomes "1 234 567".
std::string grouped(std::uint64_t value);

}  // namespace heddle::output
