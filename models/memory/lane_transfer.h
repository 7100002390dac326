#pragma once

// Moves data between lanes and memory with the extension rules of PTX. A loaded value is extended to the
// width of its register, by the sign for signed types and with zeros for others. A 16-bit register is
// zero-extended in its word. A store writes the low bytes of its register.
//
// A lane accesses a block of element_bytes * elements bytes. BlockPart selects the whole block or one 32-bit
// word of it. The bytes of lane l are at origin + (addresses.at(l) - origin_address).

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

/// Lanes are stored in ascending order, so the highest lane wins if several write the same byte.
void store_lanes(const isa::Instruction& instruction, const isa::LaneOperands& operands, LaneMask lanes,
                 const WarpAddresses& addresses, std::uint8_t* origin, std::uint64_t origin_address,
                 BlockPart part);

/// Returns the value of a source operand in one lane, up to 64 bits.
inline std::uint64_t source_value(const isa::LaneOperands& operands, int slot, int lane) {
  const LaneVec* const* words = operands.src[slot];
  if (!words[0]) return 0;
  return (*words[0])[lane] | (words[1] ? std::uint64_t{(*words[1])[lane]} << 32 : 0);
}

/// Read-modify-write of `bytes` (2, 4 or 8) bytes. Returns the old content.
std::uint64_t apply_atomic_at(std::uint8_t* at, unsigned bytes, isa::AtomicOp operation, isa::DataType type,
                              std::uint64_t b, std::uint64_t c);

/// Writes an atomic's old value to its destination, if it has one.
void return_old_value(const isa::Instruction& instruction, isa::LaneOperands& operands, int lane,
                      std::uint64_t old);

}  // namespace heddle
