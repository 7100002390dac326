#pragma once

// Key by which a stored untimed execution is found. Equal keys mean equal executions.

#include <cstddef>
#include <string>

#include "models/reference/reference.h"

namespace heddle::estimate {

/// Cache size in lines, and number of threads: both affect the record of touched lines.
struct UntimedNotes {
  std::size_t cache_lines = 0;
  int threads = 1;
};

/// Computes the key from everything that affects run_reference: the file of this program, the kernel's
/// instructions without hardware hints, grid, block, parameters, all memory, and the interleaving of CTAs and
/// warps.
std::string untimed_key(const isa::KernelLaunch& launch, const MemoryImage& memory,
                        const reference::ReferenceOptions& options, const UntimedNotes& notes);

}  // namespace heddle::estimate
