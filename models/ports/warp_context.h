#pragma once

// State of a warp that its instructions need in every module in which they execute.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/launch.h"

namespace heddle {

/// Properties of a warp that do not change from the placement of its CTA to the end of the warp.
struct WarpContext {
  WarpId warp{};                              ///< slot of the warp in the SM
  CtaSlot cta_slot{};                         ///< slot of the warp's CTA in the SM
  const isa::KernelLaunch* launch = nullptr;  ///< kernel launch of the warp; it outlives the warp
  std::uint32_t cta = 0;                      ///< linear index of the CTA in the grid
  isa::Dim3 cta_id{0, 0, 0};
  std::uint32_t warp_in_cta = 0;
  LaneMask lanes = 0;     ///< lanes that hold a thread; the last warp of a CTA may have fewer than 32
  std::uint64_t age = 0;  ///< order in which warps were placed on the SM; a smaller number is older
  LaneVec tid[3];         ///< x, y and z of each lane's thread index in the CTA
};

}  // namespace heddle
