#pragma once

// Equations between counters that must hold at the end of every run.

#include <string>

#include "models/core/stats.h"
#include "models/gpu/gpu.h"

namespace heddle::testing_support {

/// Returns the violated equations, one on each line, or "". The equations are: issued = completed
/// instructions; issue slots = issued + idle; decoded = metadata + issued + stale (dropped after a redirect
/// or the warp's end); operand words of issued instructions = accesses at the start of the register path;
/// accesses that caches and operand files pass on = accesses at the banks; and equations of the L1 and the
/// memory, such as accesses = hits + merges + misses.
std::string conservation_violations(Gpu& gpu, const StatsRegistry& stats);

}  // namespace heddle::testing_support
