#pragma once

// Moves data between the lanes of an instruction and bytes of memory, with the extension rules of PTX: a
// loaded value is extended to its register's width, signed types by their sign, everything else by zeros; a
// 16-bit register sits zero-extended in its word. A store writes the low bytes of its register.
//
// A lane's access is a block of element_bytes * elements bytes. `first` and `bytes` select a part of it (all
// of it, or one 32-bit word). The bytes of lane l lie at origin + (addresses.at(l) - origin_address).

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

/// Lanes in ascending order: of several that write one byte, the highest wins.
void store_lanes(const isa::Instruction& instruction, const isa::LaneOperands& operands, LaneMask lanes,
                 const WarpAddresses& addresses, std::uint8_t* origin, std::uint64_t origin_address,
                 BlockPart part);

/// Word pair of a source operand's lane.
inline std::uint64_t source_value(const isa::LaneOperands& operands, int slot, int lane) {
  const LaneVec* const* words = operands.src[slot];
  if (!words[0]) return 0;
  return (*words[0])[lane] | (words[1] ? std::uint64_t{(*words[1])[lane]} << 32 : 0);
}

/// Read, modify, write of `bytes` (4 or 8) bytes; returns the content before.
std::uint64_t apply_atomic_at(std::uint8_t* at, unsigned bytes, isa::AtomicOp operation, isa::DataType type,
                              std::uint64_t b, std::uint64_t c);

/// Puts an atomic's old value into its destination, if it has one.
void return_old_value(const isa::Instruction& instruction, isa::LaneOperands& operands, int lane,
                      std::uint64_t old);

}  // namespace heddle
