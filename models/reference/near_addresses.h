#pragma once

// Addresses of a warp's lanes, stored as distances from the lowest address.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/lanes.h"

namespace heddle::reference {

/// Addresses of the lanes of a warp: lane i accesses low + distance[i]. An inactive lane has the address of
/// the first active lane.
struct NearAddresses {
  std::uint64_t low = 0;
  std::uint32_t span = 0;
  std::uint32_t bits = 0;
  LaneMask active = 0;
  /// Mask of the lanes whose address is not in the same aligned block of 1 << shift bytes as the previous
  /// lane's address. one_a_piece() stores this mask for its next call. It is valid only if the lowest address
  /// is `within` bytes after the start of its block.
  LaneMask changes = 0;
  std::uint32_t within = 0;
  int shift = -1;
  enum class Rows : std::uint8_t { unknown, no, yes };
  Rows rows = Rows::unknown;
  /// If `rows` is Rows::yes, each half of the warp accesses consecutive words: lane i accesses the word at
  /// low + begin[i / 16] + 4 * i.
  std::int32_t begin[2] = {0, 0};
  LaneVec distance;
  static constexpr int kMostPieces = 4, kUnknown = -1, kMany = kMostPieces + 1;
  int pieces = kUnknown, piece_bytes = 0;
  std::array<std::uint32_t, kMostPieces> piece_begin, piece_end;
};

/// Computes the addresses of the active lanes: register words plus `offset`. Returns true only if all
/// addresses lie within 2 GiB and have the same upper 32 bits. For 32-bit addresses, `high` is nullptr, and
/// the sum wraps modulo 2^32. `near` may contain the addresses of an earlier execution, whose distances are
/// usually the same.
bool find_near(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask active,
               NearAddresses& near);

/// Returns the addresses of the lanes in order. Leaves out the address of a lane if the previous lane's
/// address is in the same aligned block of 1 << shift bytes. `room`: storage for the result.
std::span<const std::uint64_t> one_a_piece(NearAddresses& near, int shift,
                                           std::array<std::uint64_t, kLanes>& room);

/// Finds the pieces of adjacent bytes that the active lanes access, if each lane accesses `bytes` bytes.
/// Stores begin and end of each piece as distances from the lowest address. Returns false if there are more
/// than kMostPieces pieces.
bool find_pieces(NearAddresses& near, int bytes);

bool lie_in_rows(NearAddresses& near);

}  // namespace heddle::reference
