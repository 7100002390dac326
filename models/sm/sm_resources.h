#pragma once

// Resources for the admission of CTAs: of an SM, free or in all.

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
  /// By partition, of an empty SM: its warp slots, and the allocator of entries for registers as they are
  /// written (nullptr: registers have entries as long as their warp is resident).
  std::vector<WarpSet> partition_slots;
  std::vector<const RegisterClaims*> holdings;
  bool may_hold = false;  ///< warps that wait can be put away (WarpResidency)
};

}  // namespace heddle
