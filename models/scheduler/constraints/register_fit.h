#pragma once

// Checks whether registers that get entries when they are written fit into the banks, for every placement of
// their warps on warp slots.

#include <cstdint>
#include <span>

#include "models/core/warp_set.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// True if every pool holds the most entries that `warps` warps of `registers` registers each can need, on
/// the worst warp slots. `claims` and `slots` are by partition: the allocator and the warp slots. A nullptr
/// allocator means that registers keep their entries as long as their warp is resident.
bool registers_fit(std::span<const RegisterClaims* const> claims, std::span<const WarpSet> slots,
                   std::uint32_t registers, std::uint32_t warps);

}  // namespace heddle
