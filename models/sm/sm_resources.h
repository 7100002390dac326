#pragma once

// Resources of an SM that decide whether a CTA fits: either all resources of the SM, or its free resources.

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
  std::vector<int> partition_warps;
  std::vector<std::uint32_t> partition_registers;  ///< warp-wide register entries of each partition
  /// Lists with one element for each partition. `partition_slots`: all warp slots of the partition, free or
  /// not. `holdings`: object that counts the register claims of the partition's warps; nullptr if registers
  /// have fixed entries.
  std::vector<WarpSet> partition_slots;
  std::vector<const RegisterClaims*> holdings;
  bool may_hold = false;  ///< true: registers of waiting warps can be spilled to memory
};

}  // namespace heddle
