#pragma once

// Resources of an SM for the admission of CTAs: either all resources or the free ones.

#include <cstdint>
#include <vector>

#include "models/core/warp_set.h"
#include "models/ports/resource_view.h"

namespace heddle {

struct SmResources {
  int warps = 0;
  int ctas = 0;
  int threads = 0;
  std::uint32_t shared_bytes = 0;
  std::vector<int> partition_warps;                ///< warp slots by partition
  std::vector<std::uint32_t> partition_registers;  ///< warp-wide register entries by partition
  /// By partition, for an empty SM: its warp slots, and the allocator of registers that get entries when they
  /// are written. A nullptr allocator means that registers keep their entries as long as their warp is
  /// resident.
  std::vector<WarpSet> partition_slots;
  std::vector<const RegisterClaims*> holdings;
  bool may_hold = false;  ///< waiting warps can be spilled to memory (WarpResidency)
};

}  // namespace heddle
