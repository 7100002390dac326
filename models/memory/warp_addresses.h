#pragma once

// The 32 addresses of a warp's memory access (address_patterns.h computes them), and the coalescer, which
// finds the lanes that access the same 128-byte line.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

inline constexpr std::uint64_t kSegmentBytes = 128;

struct WarpAddresses {
  /// Lower 32 bits of each lane's address. Inactive lanes repeat the address of an active lane.
  LaneVec low_word;
  LaneVec high_word;  ///< upper 32 bits of each lane's address; valid if `one_window` is false
  LaneMask mask = 0;
  unsigned bytes = 4;  ///< number of bytes that one lane accesses (all elements of its vector)
  std::uint64_t low = 0, high = 0;
  /// Number of the address pattern with the same distances between lanes (AddressPatterns); 0: none.
  std::uint64_t pattern = 0;
  bool aligned = false;      ///< true if each address is a multiple of `bytes`
  bool consecutive = false;  ///< true if at(i) == at(0) + i * bytes for all 32 lanes
  bool one_window = false;   ///< true if the upper 32 bits of the address are equal in all lanes

  std::uint64_t at(int lane) const {
    return (one_window ? low >> 32 : std::uint64_t{high_word[lane]}) << 32 | low_word[lane];
  }
};

/// Returns the lanes of `pending` whose address plus `shift` is in the 128-byte line at address `line`.
LaneMask lanes_of_line(const WarpAddresses& addresses, LaneMask pending, std::uint64_t line,
                       std::uint64_t shift = 0);

/// Returns the number of 128-byte lines that the active lanes access. The access of a lane never crosses the
/// end of a line.
unsigned count_segments(const WarpAddresses& addresses);

}  // namespace heddle
