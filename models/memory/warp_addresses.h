#pragma once

// The 32 addresses of a warp's memory access, and the coalescer, which finds the lanes that access the same
// 128-byte line.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "models/core/lanes.h"

namespace heddle {

inline constexpr std::uint64_t kSegmentBytes = 128;

struct WarpAddresses {
  /// Lower 32 bits of each lane's address. Inactive lanes repeat the address of an active lane.
  LaneVec low_word;
  LaneVec high_word;
  LaneMask mask = 0;
  unsigned bytes = 4;
  std::uint64_t low = 0, high = 0;
  /// number of the access's pattern (the distances between the lanes' addresses, see AddressPatterns); 0: no
  /// pattern was determined
  std::uint64_t pattern = 0;
  bool aligned = false;
  bool consecutive = false;  ///< true if at(i) == at(0) + i * bytes for all 32 lanes
  bool one_window = false;

  std::uint64_t at(int lane) const {
    return (one_window ? low >> 32 : std::uint64_t{high_word[lane]}) << 32 | low_word[lane];
  }
};

LaneMask lanes_of_line(const WarpAddresses& addresses, LaneMask pending, std::uint64_t line,
                       std::uint64_t shift = 0);

/// Returns the number of 128-byte lines that the active lanes access. Each lane accesses a single line.
unsigned count_segments(const WarpAddresses& addresses);

}  // namespace heddle
