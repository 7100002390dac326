#pragma once

// Sums that must hold at the end of every run.

#include <string>

#include "models/core/stats.h"
#include "models/gpu/gpu.h"

namespace heddle::testing_support {

/// Empty if all counters of a run that has ended add up, else the sums that do not, one a line: issued =
/// completed, slots = issued + idle, decodes = metadata + issued + stale, operand words of issued instructions = accesses at the top of the
/// register path, what operand files and register caches let pass = accesses at the banks, the identities of
/// L1, memory edge and memory that their descriptions state.
std::string conservation_violations(Gpu& gpu, const StatsRegistry& stats);

}  // namespace heddle::testing_support
