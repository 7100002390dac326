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
  alignas(64) std::uint64_t at[kLanes];        ///< inactive lanes repeat an active lane's address
  alignas(64) std::uint32_t low_word[kLanes];  ///< of `at`
  LaneMask mask = 0;
  unsigned bytes = 4;  ///< of one lane's access (all vector elements)
  std::uint64_t low = 0, high = 0;
  bool aligned = false;      ///< every address is a multiple of `bytes`
  bool consecutive = false;  ///< at[i] == at[0] + i * bytes, for all 32 lanes
  bool one_window = false;   ///< the upper 32 bits are the same in all lanes
};

/// Address operand plus offset of every lane; a 32-bit address wraps modulo 2^32. `mask` is not empty.
void make_addresses(const isa::Instruction& instruction, const isa::LaneOperands& operands, LaneMask mask,
                    WarpAddresses& out);

/// Brings the other members up to a changed `at`.
void summarise(WarpAddresses& addresses);

/// The lanes of `pending` whose address plus `shift` lies in the 128-byte line at `line`.
LaneMask lanes_of_line(const WarpAddresses& addresses, LaneMask pending, std::uint64_t line,
                       std::uint64_t shift = 0);

/// Number of 128-byte segments that the active lanes touch (each lane's access lies in one).
unsigned count_segments(const WarpAddresses& addresses);

}  // namespace heddle
