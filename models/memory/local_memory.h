#pragma once

// Backing of local memory in device memory.

#include <cstdint>

#include "models/core/memory_image.h"

namespace heddle {

/// Allocates poisoned local memory for `warps` resident warps of all SMs at isa::kLocalBacking. An earlier
/// allocation is replaced. Allocates nothing if bytes_per_thread is 0.
void allocate_local_memory(MemoryImage& image, std::uint32_t bytes_per_thread, std::uint64_t warps);

}  // namespace heddle
