#pragma once

// Moves 8x8 matrices of 16-bit elements between shared memory and the registers of a warp, for ldmatrix and
// stmatrix. The row whose address lane l holds is at host address origin + (addresses.at(l) -
// origin_address).

#include "models/isa/lane_operands.h"
#include "models/memory/warp_addresses.h"

namespace heddle {

void load_matrices(const isa::Instruction& instruction, isa::LaneOperands& operands,
                   const WarpAddresses& addresses, const std::uint8_t* origin, std::uint64_t origin_address);

/// Stores the rows in ascending order of the lanes that hold their addresses. If rows overlap, the highest
/// lane determines a byte.
void store_matrices(const isa::Instruction& instruction, const isa::LaneOperands& operands,
                    const WarpAddresses& addresses, std::uint8_t* origin, std::uint64_t origin_address);

}  // namespace heddle
