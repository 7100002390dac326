#pragma once

// Executes the machine program of a launch (after all passes) without time. The counts are exact unless
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
  std::vector<std::uint32_t> by_cta;  ///< warp-instructions of each executed CTA
  /// counters of the issue stages by the part of their names after "sm*.issue.", summed over the SMs
  std::vector<std::pair<std::string, std::uint64_t>> counters;
};

/// Executes all CTAs of the launch on `memory` and calls `options.cta_ended` after each CTA. Throws
/// exceptions of the reference.
UntimedCounts execute_untimed(const isa::KernelLaunch& launch, MemoryImage& memory,
                              reference::ReferenceOptions options);

/// Returns the counters of the issue stages for a result. Returns nothing for a program before passes,
/// because issue stages execute only compiled programs.
std::vector<std::pair<std::string, std::uint64_t>> issue_counts(const isa::Program& program,
                                                                const reference::ReferenceResult& result);

/// Returns the positions in the registry of one counter of the issue stages (such as "issued" or "branches"):
/// one position for each SM.
std::vector<std::size_t> issue_counters(const StatsRegistry& stats, std::string_view name);

/// Replaces the counters of all SMs (in the order of `stats`) by the exact sums, divided among the SMs as
/// before. Call this function only if the hardware issued exactly the program's instructions
/// (LaunchEstimate::exact_counts).
void put_exact(const UntimedCounts& counts, const StatsRegistry& stats, std::vector<std::uint64_t>& counters);

/// Scales the lane counts of execution units by the exact number of lanes of the whole launch. Scaling by
/// instructions would be wrong, because instructions with few lanes are clustered where threads diverge.
void put_lanes(const UntimedCounts& counts, const TimedPart& part, const StatsRegistry& stats,
               std::vector<std::uint64_t>& counters);

}  // namespace heddle::estimate
