#pragma once

// State of a warp that its instructions need wherever they execute.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/launch.h"

namespace heddle {

/// Fixed from the placement of the warp's CTA to the end of the warp.
struct WarpContext {
  WarpId warp{};                              ///< slot in the SM
  CtaSlot cta_slot{};                         ///< slot in the SM
  const isa::KernelLaunch* launch = nullptr;  ///< outlives the warp
  std::uint32_t cta = 0;                      ///< linear index in the grid
  isa::Dim3 cta_id{0, 0, 0};
  std::uint32_t warp_in_cta = 0;
  LaneMask lanes = 0;     ///< lanes that hold a thread; the last warp of a CTA may be partial
  std::uint64_t age = 0;  ///< order of placement on the SM; a smaller number is older
  LaneVec tid[3];         ///< x, y, z by lane
};

}  // namespace heddle
