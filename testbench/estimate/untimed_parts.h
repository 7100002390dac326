#pragma once

// Executes a launch untimed on several threads. Each thread executes consecutive CTAs on a copy of the
// memory.

#include <cstddef>
#include <string>

#include "testbench/estimate/line_history.h"
#include "testbench/estimate/untimed_counts.h"

namespace heddle::estimate {

struct UntimedExecution {
  UntimedCounts counts;
  LineMarks lines;
};

/// Returns true if no CTA can wait for another CTA or use its results, so that CTAs may run in different
/// threads. The program must have no atomics, no ordered accesses outside of shared memory, no fences beyond
/// the CTA, no runtime calls and no reads of time.
bool has_separate_ctas(const isa::Program& program);

/// Executes all CTAs on `memory` and records the cache lines accessed last, for a cache of `cache_lines`
/// lines (0: no record). Uses one thread if CTAs depend on each other or are few. `options` must have no
/// observer, sink or cta_ended. Each thread starts with the memory before the launch; changed bytes are
/// merged in CTA order. Results are repeatable for a given number of threads. Results do not depend on this
/// number unless CTAs race by plain loads and stores. Throws exceptions of the reference.
UntimedExecution execute_in_parts(const isa::KernelLaunch& launch, MemoryImage& memory,
                                  const reference::ReferenceOptions& options, std::size_t cache_lines,
                                  int threads);

}  // namespace heddle::estimate
