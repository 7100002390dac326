#pragma once

// The 32 addresses of a warp's memory access, and the coalescer: which lanes fall into one 128-byte line.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "models/core/lanes.h"
#include "models/isa/lane_operands.h"

namespace heddle {

inline constexpr std::uint64_t kSegmentBytes = 128;

struct WarpAddresses {
  alignas(64) std::uint64_t at[kLanes];  ///< inactive lanes repeat an active lane's address
  LaneMask mask = 0;
  unsigned bytes = 4;  ///< of one lane's access (all vector elements)
  std::uint64_t low = 0, high = 0;
  bool aligned = false;      ///< every address is a multiple of `bytes`
  bool consecutive = false;  ///< at[i] == at[0] + i * bytes, for all 32 lanes
};

/// Address operand plus offset of every lane; a 32-bit address wraps modulo 2^32. `mask` is not empty.
inline void make_addresses(const isa::Instruction& instruction, const isa::LaneOperands& operands,
                           LaneMask mask, WarpAddresses& out) {
  const LaneVec& low = *operands.src[0][0];
  const isa::MemoryAccess& form = instruction.memory;
  if (const LaneVec* high = operands.src[0][1]) {
    const auto offset = static_cast<std::uint64_t>(form.offset);
    for (int i = 0; i < kLanes; ++i) out.at[i] = (low[i] | std::uint64_t{(*high)[i]} << 32) + offset;
  } else {
    const auto offset = static_cast<std::uint32_t>(form.offset);
    for (int i = 0; i < kLanes; ++i) out.at[i] = low[i] + offset;
  }
  if (mask != kAllLanes) {
    const std::uint64_t some = out.at[std::countr_zero(mask)];
    for (int i = 0; i < kLanes; ++i) out.at[i] = (mask >> i) & 1u ? out.at[i] : some;
  }
  out.mask = mask;
  out.bytes = unsigned{form.element_bytes} * form.elements;
  std::uint64_t smallest = out.at[0], largest = out.at[0], bits = 0, stride = 0;
  for (int i = 0; i < kLanes; ++i) {
    smallest = std::min(smallest, out.at[i]);
    largest = std::max(largest, out.at[i]);
    bits |= out.at[i];
    stride |= out.at[i] - out.at[0] - std::uint64_t{out.bytes} * static_cast<unsigned>(i);
  }
  out.low = smallest;
  out.high = largest;
  out.aligned = (bits & (out.bytes - 1)) == 0;
  out.consecutive = stride == 0;
}

/// The lanes of `pending` whose address plus `shift` lies in the 128-byte line at `line`.
inline LaneMask lanes_of_line(const std::uint64_t* at, LaneMask pending, std::uint64_t line,
                              std::uint64_t shift = 0) {
  LaneMask found = 0;
  for (int i = 0; i < kLanes; ++i)
    found |= static_cast<LaneMask>((at[i] + shift) / kSegmentBytes == line / kSegmentBytes) << i;
  return found & pending;
}

/// Number of 128-byte segments that the active lanes touch (each lane's access lies in one).
inline unsigned count_segments(const WarpAddresses& addresses) {
  unsigned segments = 0;
  for (LaneMask pending = addresses.mask; pending != 0; ++segments)
    pending &= ~lanes_of_line(addresses.at, pending, addresses.at[std::countr_zero(pending)]);
  return segments;
}

}  // namespace heddle
