#pragma once

// Totals over a run's launches, and paths relative to the run's folder.

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/run/run_session.h"

namespace heddle::output {

std::vector<std::uint64_t> total_counters(run::RunSession& session);

Cycle total_cycles(const run::RunResult& result);

/// Returns `path` relative to `folder`. Files in the run's folder refer to other files by such paths.
std::string relative_to(const std::string& path, const std::string& folder);

}  // namespace heddle::output
