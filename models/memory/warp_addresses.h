#pragma once

// The 32 addresses of a warp's memory access (worked out by address_patterns.h), and the coalescer: which lanes fall into
// one 128-byte line.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

inline constexpr std::uint64_t kSegmentBytes = 128;

struct WarpAddresses {
  /// Width of the addresses; inactive lanes repeat an active lane's.
  alignas(64) std::uint32_t low_word[kLanes];
  alignas(64) std::uint32_t high_word[kLanes];  ///< set unless `one_window`
  LaneMask mask = 0;
  unsigned bytes = 4;  ///< of one lane's access (all vector elements)
  std::uint64_t low = 0, high = 0;
  std::uint64_t pattern =
      0;                 ///< AddressPatterns: the same where the distances from the first lane are; 0: none
  bool aligned = false;  ///< every address is a multiple of `bytes`
  bool consecutive = false;  ///< at(i) == at(0) + i * bytes, for all 32 lanes
  bool one_window = false;   ///< the upper 32 bits are the same in all lanes

  std::uint64_t at(int lane) const {
    return (one_window ? low >> 32 : std::uint64_t{high_word[lane]}) << 32 | low_word[lane];
  }
};

/// The lanes of `pending` whose address plus `shift` lies in the 128-byte line at `line`.
LaneMask lanes_of_line(const WarpAddresses& addresses, LaneMask pending, std::uint64_t line,
                       std::uint64_t shift = 0);

/// Number of 128-byte segments that the active lanes touch (each lane's access lies in one).
unsigned count_segments(const WarpAddresses& addresses);

}  // namespace heddle
