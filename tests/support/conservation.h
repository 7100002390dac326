#pragma once

// Equations between counters that must hold at the end of every run.

#include <string>

#include "models/core/stats.h"
#include "models/gpu/gpu.h"

namespace heddle::testing_support {

/// Checks the counters of an ended run. Returns "" if all of them add up, otherwise the violated equations,
/// one on each line. Issued = completed instructions. Issue slots = issued + idle. Decoded instructions =
/// metadata + issued + dropped (stale). Operand words of issued instructions = accesses at the begin of the
/// register path. Accesses that operand files and register caches pass on = accesses at the banks. The
/// descriptions of the L1, memory edge and memory state further sums.
std::string conservation_violations(Gpu& gpu, const StatsRegistry& stats);

}  // namespace heddle::testing_support
