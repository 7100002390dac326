#pragma once

// The addresses of a warp's lanes, where they lie near each other, as most do.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/lanes.h"

namespace heddle::reference {

/// Lane i at low + distance[i]; a lane that does not take part is where the first that does is.
struct NearAddresses {
  std::uint64_t low = 0;   ///< the lowest one
  std::uint32_t span = 0;  ///< from there to the highest
  std::uint32_t bits = 0;  ///< that are set in one of the distances
  LaneMask active = 0;     ///< that take part; none: distances say nothing yet
  /// Lanes that do not lie in the same piece of memory as the lane before, of so many bytes (1 << shift), if the lowest address
  /// lies so far in its piece.
  LaneMask changes = 0;
  std::uint32_t within = 0;
  int shift = -1;
  /// True if the words of each half's active lanes are adjacent; with the position of that half's first lane.
  enum class Rows : std::uint8_t { unknown, no, yes };
  Rows rows = Rows::unknown;
  std::int32_t begin[2] = {0, 0};
  LaneVec distance;
};

/// Register words of the active lanes plus `offset`; `high` of a narrow address is nullptr, and `offset` then
/// wraps with it. Other lanes are ignored. False if they do not lie within 2 GiB and in the same 4 GiB.
/// `near` may hold earlier addresses of the same instruction: most have the same distances, and then only
/// `low` changes.
using FindNear = bool (*)(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask active,
                          NearAddresses& near);
extern const FindNear find_near;

/// The addresses in the order of lanes, without those that lie in the same piece of memory as the one before, of 1 << shift
/// bytes; in `room`.
using OneAPiece = std::span<const std::uint64_t> (*)(NearAddresses& near, int shift,
                                                     std::array<std::uint64_t, kLanes>& room);
extern const OneAPiece one_a_piece;

}  // namespace heddle::reference
