#pragma once

// Key by which a stored untimed execution is found. Two executions with the same key have the same results.

#include <cstddef>
#include <string>

#include "models/reference/reference.h"

namespace heddle::estimate {

/// Size of the modelled L2 in lines, and number of host threads that execute the CTAs. Both affect the record
/// of accessed lines, so both are part of the key.
struct UntimedNotes {
  std::size_t cache_lines = 0;
  int threads = 1;
};

/// Computes the key from everything that affects run_reference: the executable file of this program, the
/// kernel's instructions without hardware hints, grid, block, parameters, all memory, and the interleaving of
/// CTAs and warps.
std::string untimed_key(const isa::KernelLaunch& launch, const MemoryImage& memory,
                        const reference::ReferenceOptions& options, const UntimedNotes& notes);

}  // namespace heddle::estimate
