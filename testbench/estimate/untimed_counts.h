#pragma once

// Executes the machine program of a launch (after all passes) without time. The counts are exact, unless
// control flow depends on order or time.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/stats.h"
#include "models/reference/reference.h"
#include "testbench/estimate/estimate_figures.h"

namespace heddle::estimate {

struct UntimedCounts {
  reference::ReferenceResult result;
  std::vector<std::uint32_t> by_cta;  ///< warp-instructions of every CTA of the grid
  /// Counters of the issue stages by their names after "sm*.issue.", summed over the SMs.
  std::vector<std::pair<std::string, std::uint64_t>> counters;
};

/// Executes all CTAs on `memory` and calls `options.cta_ended`. Throws exceptions of the reference.
UntimedCounts execute_untimed(const isa::KernelLaunch& launch, MemoryImage& memory,
                              reference::ReferenceOptions options);

/// Returns the issue stages' counters for a result; empty for a program before passes, which no issue stage
/// executes.
std::vector<std::pair<std::string, std::uint64_t>> issue_counts(const isa::Program& program,
                                                                const reference::ReferenceResult& result);

/// Returns the positions in the registry of one counter of the issue stages ("issued", "branches"), one per
/// SM.
std::vector<std::size_t> issue_counters(const StatsRegistry& stats, std::string_view name);

/// Replaces the counters of all SMs (in the order of `stats`) by the exact sums; each SM keeps its share.
/// Call it only if the hardware issued what the program has (LaunchEstimate::exact_counts).
void put_exact(const UntimedCounts& counts, const StatsRegistry& stats, std::vector<std::uint64_t>& counters);

/// Scales lane counts of execution units by the exact number of lanes of the whole launch instead of its
/// instructions, because instructions with few lanes are clustered where threads diverge.
void put_lanes(const UntimedCounts& counts, const TimedPart& part, const StatsRegistry& stats,
               std::vector<std::uint64_t>& counters);

}  // namespace heddle::estimate
