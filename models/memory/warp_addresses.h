#pragma once

// The 32 addresses of a warp's memory access (computed by address_patterns.h), and the coalescer, which finds
// the lanes in one 128-byte line.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

inline constexpr std::uint64_t kSegmentBytes = 128;

struct WarpAddresses {
  /// Width of the addresses; inactive lanes repeat an active lane's.
  LaneVec low_word;
  LaneVec high_word;  ///< set unless `one_window`
  LaneMask mask = 0;
  unsigned bytes = 4;  ///< bytes of one lane's access (all vector elements)
  std::uint64_t low = 0, high = 0;
  std::uint64_t pattern = 0;  ///< number of the AddressPatterns entry with the same distances; 0 = none
  bool aligned = false;       ///< each address is a multiple of `bytes`
  bool consecutive = false;   ///< at(i) == at(0) + i * bytes for all 32 lanes
  bool one_window = false;    ///< the upper 32 bits are equal in all lanes

  std::uint64_t at(int lane) const {
    return (one_window ? low >> 32 : std::uint64_t{high_word[lane]}) << 32 | low_word[lane];
  }
};

/// Returns the lanes of `pending` whose address plus `shift` is in the 128-byte line at `line`.
LaneMask lanes_of_line(const WarpAddresses& addresses, LaneMask pending, std::uint64_t line,
                       std::uint64_t shift = 0);

/// Returns the number of 128-byte segments that the active lanes access. The access of one lane is in one
/// segment.
unsigned count_segments(const WarpAddresses& addresses);

}  // namespace heddle
