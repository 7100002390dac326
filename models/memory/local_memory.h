#pragma once

// Allocates local memory of threads in device memory.

#include <cstdint>

#include "models/core/memory_image.h"

namespace heddle {

/// Allocates local memory for `warps` resident warps of all SMs at isa::kLocalBacking, and fills it with
/// poison. Replaces an earlier allocation. bytes_per_thread may be 0.
void allocate_local_memory(MemoryImage& image, std::uint32_t bytes_per_thread, std::uint64_t warps);

}  // namespace heddle
