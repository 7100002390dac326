#pragma once

// Executes a launch untimed on several threads. Each thread executes consecutive CTAs on a copy of the
// memory.

#include <cstddef>
#include <string>

#include "testbench/estimate/line_history.h"
#include "testbench/estimate/untimed_counts.h"

namespace heddle::estimate {

/// Results of an untimed execution except the contents of memory.
struct UntimedExecution {
  UntimedCounts counts;
  LineMarks lines;
};

/// Returns true if CTAs cannot wait for each other or use each other's results, so that they may run in
/// different threads. Such a program has no atomics, no ordered accesses outside of shared memory, no fences
/// beyond the CTA, no calls of the runtime, and no reads of time.
bool has_separate_ctas(const isa::Program& program);

/// Executes all CTAs on `memory` and records lines for a cache of `cache_lines` (0: no record). Uses
/// `threads` threads, or one if CTAs depend on each other or are few. `options` must have no observer, no
/// sink and no cta_ended.
///
/// Each thread executes a part of the grid, which begins with the memory before the launch. Afterwards the
/// changed bytes of the parts are merged in the order of CTAs. For a given number of threads the results are
/// always the same. The results equal those of one thread if CTAs do not race for words by plain loads and
/// stores. The line records of a part continue those of the part before. Throws exceptions of the reference.
UntimedExecution execute_in_parts(const isa::KernelLaunch& launch, MemoryImage& memory,
                                  const reference::ReferenceOptions& options, std::size_t cache_lines,
                                  int threads);

}  // namespace heddle::estimate
