#pragma once

// Addresses of a warp's lanes as distances from the lowest address, for the common case of near addresses.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/lanes.h"

namespace heddle::reference {

/// The address of lane i is low + distance[i]. A lane that does not take part has the address of the first
/// that does.
struct NearAddresses {
  std::uint64_t low = 0;   ///< lowest address
  std::uint32_t span = 0;  ///< distance from the lowest to the highest address
  std::uint32_t bits = 0;  ///< OR of all distances
  LaneMask active = 0;     ///< lanes that take part; 0 = distances are not valid
  /// Cached result of one_a_piece(): lanes in another piece of memory than the lane before. Valid for pieces
  /// of 1 << shift bytes, and if the lowest address is `within` bytes after the start of its piece.
  LaneMask changes = 0;
  std::uint32_t within = 0;
  int shift = -1;
  enum class Rows : std::uint8_t { unknown, no, yes };
  Rows rows = Rows::unknown;
  std::int32_t begin[2] = {
      0, 0};  ///< where the words of each half's active lanes are adjacent: lane i at begin + 4 * i
  LaneVec distance;
};

/// Register words of the active lanes plus `offset`; `high` of a narrow address is nullptr, and `offset` then
/// wraps with it. Other lanes are ignored. False if they do not lie within 2 GiB and in the same 4 GiB.
/// `near` may hold earlier addresses of the same instruction: most have the same distances, and then only
/// `low` changes.
bool find_near(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask active,
               NearAddresses& near);

/// The addresses in the order of lanes, without those that lie in the same piece of memory as the one before, of 1 << shift
/// bytes; in `room`.
std::span<const std::uint64_t> one_a_piece(NearAddresses& near, int shift,
                                           std::array<std::uint64_t, kLanes>& room);

/// True if the words of each half's active lanes are adjacent (`begin`).
bool lie_in_rows(NearAddresses& near);

}  // namespace heddle::reference
