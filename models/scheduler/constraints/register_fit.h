#pragma once

// Checks whether the registers of a number of warps fit into the register banks, if each register gets its
// entry at its first write. The check covers every choice of warp slots.

#include <cstdint>
#include <span>

#include "models/core/warp_set.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// True if every register pool has enough entries for `warps` warps of `registers` registers each, on the
/// warp slots for which this needs the most entries. By partition, `claims` is the allocator and `slots` are
/// the warp slots. A null allocator means that registers keep their entries as long as their warp is
/// resident.
bool registers_fit(std::span<const RegisterClaims* const> claims, std::span<const WarpSet> slots,
                   std::uint32_t registers, std::uint32_t warps);

}  // namespace heddle
