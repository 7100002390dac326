#pragma once

// Checks whether the registers of a number of warps fit into the register banks, for every choice of warp
// slots. Each register gets its entry at its first write.

#include <cstdint>
#include <span>

#include "models/core/warp_set.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// True if every register pool has enough entries for `warps` warps of `registers` registers each. `claims`:
/// register claims of each partition; nullptr: a register keeps its entry while its warp is resident.
/// `slots`: warp slots of each partition.
bool registers_fit(std::span<const RegisterClaims* const> claims, std::span<const WarpSet> slots,
                   std::uint32_t registers, std::uint32_t warps);

}  // namespace heddle
