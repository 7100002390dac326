#pragma once

// Whether registers that are given entries as they are written fit into the banks, on whatever warp slots the warps
// that hold them lie.

#include <cstdint>
#include <span>

#include "models/core/warp_set.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// The most that so many warps of so many registers each can need of a pool, on the slots where they need most of it,
/// is there in every pool. By partition: who gives entries to registers as they are written (nullptr: registers have their
/// entries as long as their warp is resident), and its warp slots.
bool registers_fit(std::span<const RegisterClaims* const> claims, std::span<const WarpSet> slots,
                   std::uint32_t registers, std::uint32_t warps);

}  // namespace heddle
