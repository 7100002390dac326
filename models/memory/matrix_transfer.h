#pragma once

// Moves 8x8 matrices of 16-bit elements between shared memory and the registers of a warp, for ldmatrix and
// stmatrix. Lane l holds the address of a row. This row is at host address origin + (addresses.at(l) -
// origin_address).

#include "models/isa/lane_operands.h"
#include "models/memory/warp_addresses.h"

namespace heddle {

void load_matrices(const isa::Instruction& instruction, isa::LaneOperands& operands,
                   const WarpAddresses& addresses, const std::uint8_t* origin, std::uint64_t origin_address);

/// Stores the rows of the matrices, in ascending order of the lanes that hold the rows' addresses. If several
/// rows contain the same byte, the row of the highest lane determines its value.
void store_matrices(const isa::Instruction& instruction, const isa::LaneOperands& operands,
                    const WarpAddresses& addresses, std::uint8_t* origin, std::uint64_t origin_address);

}  // namespace heddle
