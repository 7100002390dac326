#pragma once

// The name of an untimed execution: equal names, equal executions.

#include <cstddef>
#include <string>

#include "models/reference/reference.h"

namespace heddle::run {

/// What is noted of accesses: lines for a cache of so many, by so many threads.
struct UntimedNotes {
  std::size_t cache_lines = 0;
  int threads = 1;
};

/// Of everything that decides what run_reference does, in what it counts and leaves: this program (its file), the kernel's
/// instructions as far as they compute (not where hardware is to keep their operands), grid, block and parameters, all
/// memory, and the order in which `options` has CTAs and warps take turns.
std::string untimed_key(const isa::KernelLaunch& launch, const MemoryImage& memory,
                        const reference::ReferenceOptions& options, const UntimedNotes& notes);

}  // namespace heddle::run
