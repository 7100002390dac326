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
  /// Whether the words of each half-warp's active lanes are contiguous, and the position of the first lane of
  /// each half.
  enum class Rows : std::uint8_t { unknown, no, yes };
  Rows rows = Rows::unknown;
  std::int32_t begin[2] = {0, 0};
  LaneVec distance;
};

/// Computes the addresses of the active lanes, register plus `offset`. `high` is nullptr for 32-bit
/// registers; then the sum wraps at 32 bits. Returns false if the addresses are not within 2 GiB and in the
/// same 4 GiB. `near` may contain earlier addresses of the same instruction. Usually the distances are the
/// same, and only `low` changes.
using FindNear = bool (*)(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask active,
                          NearAddresses& near);
extern const FindNear find_near;

/// Addresses in the order of lanes, without those in the same piece of 1 << shift bytes as the address
/// before. The result is stored in `room`.
using OneAPiece = std::span<const std::uint64_t> (*)(NearAddresses& near, int shift,
                                                     std::array<std::uint64_t, kLanes>& room);
extern const OneAPiece one_a_piece;

}  // namespace heddle::reference
