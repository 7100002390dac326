#include "models/reference/near_addresses.h"

#include <bit>

#include "models/isa/rows.h"

namespace heddle::reference {
namespace {

constexpr LaneVec kSame{};

constexpr LaneVec kAdjacent = [] {
  LaneVec distance{};
  for (std::uint32_t i = 0; i < kLanes; ++i) distance.lane[i] = 4 * i;
  return distance;
}();

bool measure(const LaneVec& low, std::uint32_t first, LaneMask active, NearAddresses& near) {
  const isa::RowSpread spread = isa::kRows.measure(low, first, active, near.distance);
  const auto lowest = static_cast<std::uint32_t>(spread.lowest);
  near.bits = 0;
  for (std::uint32_t& distance : near.distance.lane) near.bits |= distance -= lowest;
  near.span = static_cast<std::uint32_t>(spread.highest) - lowest;
  return near.span >> 31 == 0;
}

bool half_lies_in_row(NearAddresses& near, int half) {
  constexpr LaneMask kHalf = 0xffff;
  const LaneMask lanes = near.active & kHalf << half * kLanes / 2;
  if (lanes == 0) return true;
  const int first = std::countr_zero(lanes);
  const std::uint32_t begin = near.distance[first] - kAdjacent[first];
  near.begin[half] = static_cast<std::int32_t>(begin);
  return isa::kRows.has_distances(near.distance, begin, kAdjacent, lanes);
}

}  // namespace

bool find_near(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask active,
               NearAddresses& near) {
  const int first = std::countr_zero(active);
  if (high && !isa::kRows.has_distances(*high, (*high)[first], kSame, active)) return false;
  if (near.active != active ||
      !isa::kRows.has_distances(low, low[first] - near.distance[first], near.distance, active)) {
    near.active = 0;
    near.shift = -1;
    near.rows = NearAddresses::Rows::unknown;
    near.pieces = NearAddresses::kUnknown;
    if (!measure(low, low[first], active, near)) return false;
    near.active = active;
  }
  const std::uint64_t back = near.distance[first], word = low[first],
                      from =
                          high ? word : static_cast<std::uint32_t>(word + static_cast<std::uint64_t>(offset));
  near.low = from - back;
  if (from < back || (near.low + near.span) >> 32 != 0) return false;
  if (high) near.low += (std::uint64_t{(*high)[first]} << 32) + static_cast<std::uint64_t>(offset);
  return true;
}

std::span<const std::uint64_t> one_a_piece(NearAddresses& near, int shift,
                                           std::array<std::uint64_t, kLanes>& room) {
  const std::uint32_t within = static_cast<std::uint32_t>(near.low) & ((1u << shift) - 1);
  if (near.shift != shift || near.within != within) {
    near.shift = shift;
    near.within = within;
    near.changes = isa::kRows.block_changes(near.distance, within, shift);
  }
  std::uint64_t* next = room.data();
  for (LaneMask left = near.changes; left != 0; left &= left - 1)
    *next++ = near.low + near.distance[std::countr_zero(left)];
  return {room.data(), next};
}

bool find_pieces(NearAddresses& near, int bytes) {
  if (near.pieces != NearAddresses::kUnknown && near.piece_bytes == bytes)
    return near.pieces != NearAddresses::kMany;
  const auto size = static_cast<std::uint32_t>(bytes);
  near.piece_bytes = bytes;
  near.pieces = 0;
  for (LaneMask left = near.active; left != 0; left &= left - 1) {
    const std::uint32_t at = near.distance[std::countr_zero(left)];
    const auto last = static_cast<std::size_t>(near.pieces - 1);
    if (near.pieces != 0 && at >= near.piece_begin[last] && at + size <= near.piece_end[last]) continue;
    if (near.pieces != 0 && at == near.piece_end[last]) {
      near.piece_end[last] += size;
    } else {
      if (++near.pieces == NearAddresses::kMany) return false;
      near.piece_begin[last + 1] = at;
      near.piece_end[last + 1] = at + size;
    }
  }
  return true;
}

bool lie_in_rows(NearAddresses& near) {
  if (near.rows == NearAddresses::Rows::unknown)
    near.rows = half_lies_in_row(near, 0) && half_lies_in_row(near, 1) ? NearAddresses::Rows::yes
                                                                       : NearAddresses::Rows::no;
  return near.rows == NearAddresses::Rows::yes;
}

}  // namespace heddle::reference
