#pragma once

// Moves data between the registers of lanes and memory, with the extension rules of PTX. Loaded values of
// signed types are sign-extended to the width of their register, all other loaded values are zero-extended. A
// store writes the low bytes of its register.
//
// Each lane accesses a block of element_bytes * elements bytes. BlockPart selects the whole block or one
// 32-bit word of it. The block of lane l is at host address origin + (addresses.at(l) - origin_address).

#include <cstdint>

#include "models/isa/lane_operands.h"
#include "models/memory/warp_addresses.h"

namespace heddle {

struct BlockPart {
  unsigned first = 0;
  unsigned bytes = 4;
};

void load_lanes(const isa::Instruction& instruction, isa::LaneOperands& operands, LaneMask lanes,
                const WarpAddresses& addresses, const std::uint8_t* origin, std::uint64_t origin_address,
                BlockPart part);

/// Stores the registers of the given lanes in ascending order of lanes. If several lanes write the same byte,
/// the highest lane determines its value.
void store_lanes(const isa::Instruction& instruction, const isa::LaneOperands& operands, LaneMask lanes,
                 const WarpAddresses& addresses, std::uint8_t* origin, std::uint64_t origin_address,
                 BlockPart part);

inline std::uint64_t source_value(const isa::LaneOperands& operands, int slot, int lane) {
  const LaneVec* const* words = operands.src[slot];
  if (!words[0]) return 0;
  return (*words[0])[lane] | (words[1] ? std::uint64_t{(*words[1])[lane]} << 32 : 0);
}

std::uint64_t apply_atomic_at(std::uint8_t* at, unsigned bytes, isa::AtomicOp operation, isa::DataType type,
                              std::uint64_t b, std::uint64_t c);

void return_old_value(const isa::Instruction& instruction, isa::LaneOperands& operands, int lane,
                      std::uint64_t old);

}  // namespace heddle
