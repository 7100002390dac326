#pragma once

// Key of an untimed execution. Equal keys mean equal executions.

#include <cstddef>
#include <string>

#include "models/reference/reference.h"

namespace heddle::estimate {

/// Options of recording: lines for a cache of `cache_lines` lines, recorded by `threads` threads.
struct UntimedNotes {
  std::size_t cache_lines = 0;
  int threads = 1;
};

/// Covers everything that affects counts and results of run_reference: this program (its file); the kernel's
/// instructions without hardware hints; grid, block and parameters; all memory; and the order in which
/// `options` interleaves CTAs and warps.
std::string untimed_key(const isa::KernelLaunch& launch, const MemoryImage& memory,
                        const reference::ReferenceOptions& options, const UntimedNotes& notes);

}  // namespace heddle::estimate
