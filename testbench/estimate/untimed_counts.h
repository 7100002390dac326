#pragma once

// Executes the compiled program of a launch without timing. The counts are exact unless control flow depends
// on the order of threads or on time.

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
  /// for each CTA: its warp-instructions, and its segments of global memory
  /// (ReferenceResult::global_segments)
  std::vector<std::uint32_t> by_cta, segments_by_cta;
  /// issue-stage counters, named without "sm*.issue." and summed over the SMs
  std::vector<std::pair<std::string, std::uint64_t>> counters;
};

/// Executes all CTAs of the launch on `memory`. Calls `options.cta_ended` after each CTA. Throws exceptions
/// of the reference.
UntimedCounts execute_untimed(const isa::KernelLaunch& launch, MemoryImage& memory,
                              reference::ReferenceOptions options);

/// Returns the issue-stage counters. Returns nothing for an uncompiled program, because issue stages execute
/// only compiled programs.
std::vector<std::pair<std::string, std::uint64_t>> issue_counts(const isa::Program& program,
                                                                const reference::ReferenceResult& result);

/// Returns the indices of a counter in the registry, one index per SM. `unit`: end of the name of the module
/// that owns the counter.
std::vector<std::size_t> sm_counters(const StatsRegistry& stats, std::string_view unit,
                                     std::string_view name);
/// Returns the indices of one issue-stage counter in the registry, one index per SM.
std::vector<std::size_t> issue_counters(const StatsRegistry& stats, std::string_view name);

/// Replaces estimated counters by the exact sums over all SMs. Each sum is divided among the SMs in the ratio
/// of the estimated counters. Requires LaunchEstimate::exact_counts.
void put_exact(const UntimedCounts& counts, const StatsRegistry& stats, std::vector<std::uint64_t>& counters);

/// Scales the estimated counters that count the executing lanes of the execution units. The sum of these
/// counters is then the exact count of the whole launch. Scaling by the number of instructions would be
/// wrong, because divergent code has many instructions with few lanes.
void put_lanes(const UntimedCounts& counts, const TimedPart& part, const StatsRegistry& stats,
               std::vector<std::uint64_t>& counters);

}  // namespace heddle::estimate
