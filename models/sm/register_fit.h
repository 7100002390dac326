#pragma once

// Whether registers that are given entries as they are written fit into the banks, on whatever warp slots the warps
// that hold them lie.

#include <cstdint>

#include "models/sm/sm_resources.h"

namespace heddle {

/// The most that so many warps of so many registers each can need of a pool, on the slots where they need most of it,
/// is there in every pool. `sm`: of an empty SM.
bool registers_fit(const SmResources& sm, std::uint32_t registers, std::uint32_t warps);

}  // namespace heddle
