#pragma once

// Sums that must hold at the end of every run.

#include <string>

#include "models/core/stats.h"
#include "models/gpu/gpu.h"

namespace heddle::testing_support {

/// Returns "" if all counters of an ended run add up, otherwise the violated sums, one on each line. Issued =
/// completed. Slots = issued + idle. Decodes = metadata + issued + stale. Operand words of issued
/// instructions = accesses at the top of the register path. Accesses that operand files and register caches
/// pass on = accesses at the banks. The descriptions of the L1, memory edge and memory state further sums.
std::string conservation_violations(Gpu& gpu, const StatsRegistry& stats);

}  // namespace heddle::testing_support
