#pragma once

// The untimed execution of a launch on several threads: each executes some consecutive CTAs on a memory of its own.

#include <cstddef>
#include <string>

#include "testbench/run/line_history.h"
#include "testbench/run/untimed_counts.h"

namespace heddle::run {

/// What an untimed execution came to, beside the memory that it left.
struct UntimedExecution {
  UntimedCounts counts;
  LineMarks lines;
};

/// Whether no CTA can wait for another or add to what another has left: no atomics and no ordered accesses outside of shared
/// memory, no fences beyond the CTA, no calls of the runtime, no time.
bool has_separate_ctas(const isa::Program& program);

/// Executes all CTAs on `memory`, and notes lines for a cache of `cache_lines` (0: none); on so many threads, or on one where
/// CTAs are not separate or are few. `options` may have no observer, no sink and nobody who hears of CTAs. Throws what the
/// reference throws. Every part begins with the memory of the
/// launch's beginning, and then bytes that parts have changed are put together, in the order of CTAs: counts and memory
/// are those of one thread, where CTAs do not race for words by plain loads and stores, and always the same for a
/// number of threads. A part takes the lines that the part before it left for those before its first CTA.
UntimedExecution execute_in_parts(const isa::KernelLaunch& launch, MemoryImage& memory,
                                  const reference::ReferenceOptions& options, std::size_t cache_lines,
                                  int threads);

}  // namespace heddle::run
