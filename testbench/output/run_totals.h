#pragma once

// A run's launches added up, and paths as files of its folder name them.

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/run/run_session.h"

namespace heddle::output {

/// What the whole run added to every counter, in the order of StatsRegistry::counters().
std::vector<std::uint64_t> total_counters(run::RunSession& session);

/// Cycles of all timed launches together.
Cycle total_cycles(const run::RunResult& result);

/// A path as it is written into a file of `folder`.
std::string relative_to(const std::string& path, const std::string& folder);

}  // namespace heddle::output
