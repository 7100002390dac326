#pragma once

// Holds the warp state that instructions need in every module in which they execute.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/launch.h"

namespace heddle {

struct WarpContext {
  WarpId warp{};
  CtaSlot cta_slot{};
  const isa::KernelLaunch* launch = nullptr;
  std::uint32_t cta = 0;
  isa::Dim3 cta_id{0, 0, 0};
  std::uint32_t warp_in_cta = 0;
  LaneMask lanes = 0;     ///< lanes that hold a thread; the last warp of a CTA may have fewer than 32
  std::uint64_t age = 0;  ///< order in which warps were placed on the SM; a smaller number is older
  LaneVec tid[3];
};

}  // namespace heddle
