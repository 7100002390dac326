#pragma once

// The machine program of a launch (after all passes) executed without time: what it counts is exact, but where its
// control flow depends on order or time.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/stats.h"
#include "models/reference/reference.h"
#include "testbench/run/estimate_figures.h"

namespace heddle::run {

struct UntimedCounts {
  reference::ReferenceResult result;
  std::vector<std::uint32_t> by_cta;  ///< warp-instructions of every CTA of the grid
  /// Counters of the issue stages that follow, by their names after "sm*.issue.", summed over the SMs.
  std::vector<std::pair<std::string, std::uint64_t>> counters;
};

/// Executes all CTAs on `memory`. `options.cta_ended` hears of them, too. Throws what the reference throws.
UntimedCounts execute_untimed(const isa::KernelLaunch& launch, MemoryImage& memory,
                              reference::ReferenceOptions options);

/// The counters of a result; none of a program before any pass, which no issue stage executes.
std::vector<std::pair<std::string, std::uint64_t>> issue_counts(const isa::Program& program,
                                                                const reference::ReferenceResult& result);

/// Positions in the registry of one counter of the issue stages ("issued", "branches"), an SM each.
std::vector<std::size_t> issue_counters(const StatsRegistry& stats, std::string_view name);

/// Gives the counters of all SMs (in the order of `stats`) the sums that are known: each keeps its share of the sum.
/// Counters that a timed part shows otherwise keep what was estimated: these are added at run time (spills).
void put_exact(const UntimedCounts& counts, const StatsRegistry& stats, std::vector<std::uint64_t>& counters);

/// Gives what execution units count in lanes its value by the lanes of the whole, which are known, in place of the
/// instructions: those of few lanes lie together, where threads of a kernel part.
void put_lanes(const UntimedCounts& counts, const TimedPart& part, const StatsRegistry& stats,
               std::vector<std::uint64_t>& counters);

}  // namespace heddle::run
