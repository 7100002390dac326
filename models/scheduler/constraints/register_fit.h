#pragma once

// Checks that registers that get entries when they are written fit into the banks, for all placements of
// their warps on warp slots.

#include <cstdint>
#include <span>

#include "models/core/warp_set.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// True if every pool holds the most that this number of warps, of this number of registers each, can need of
/// it, on the worst slots. By partition: the allocator of entries for registers as they are written (nullptr:
/// registers have entries as long as their warp is resident), and its warp slots.
bool registers_fit(std::span<const RegisterClaims* const> claims, std::span<const WarpSet> slots,
                   std::uint32_t registers, std::uint32_t warps);

}  // namespace heddle
