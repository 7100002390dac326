#pragma once

// Totals over a run's launches, and paths relative to its folder.

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/run/run_session.h"

namespace heddle::output {

/// Returns the increments of all counters over the whole run, in the order of StatsRegistry::counters().
std::vector<std::uint64_t> total_counters(run::RunSession& session);

/// Returns the cycles of all timed launches together.
Cycle total_cycles(const run::RunResult& result);

/// Returns a path relative to `folder`, as files in this folder name it.
std::string relative_to(const std::string& path, const std::string& folder);

}  // namespace heddle::output
