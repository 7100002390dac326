#include "models/reference/near_addresses.h"

#include <bit>
#include <cstring>

#include "models/core/host_vectors.h"

namespace heddle::reference {
namespace {

/// Loops over parts of eight lanes are unrolled by hand, because loop overhead would be as large as the work.
/// `kAll`: all lanes take part.
template <bool kAll>
struct Words {
  using Signed = std::int32_t __attribute__((vector_size(32), may_alias));

  const LaneVec& low;
  const LaneVec* high;
  int first;  ///< first lane that takes part
  LaneMask active;

  HEDDLE_INLINE void clear_others(EightLanes& words, int part) const {
    if constexpr (!kAll)
      words &= reinterpret_cast<EightLanes>((lane_words(kLaneBits.lane).part[part] & active) != 0);
  }
  HEDDLE_INLINE void add_high(EightLanes& differs, int part) const {
    EightLanes other = lane_words(high->lane).part[part] ^ high->lane[first];
    clear_others(other, part);
    differs |= other;
  }
  HEDDLE_INLINE bool high_differs() const {
    EightLanes differs{};
    add_high(differs, 0);
    add_high(differs, 1);
    add_high(differs, 2);
    add_high(differs, 3);
    return joined(differs) != 0;
  }

  HEDDLE_INLINE void add_misfits(EightLanes& differs, std::uint32_t lowest, const NearAddresses& near,
                                 int part) const {
    EightLanes other = (lane_words(low.lane).part[part] - lowest) ^ lane_words(near.distance.lane).part[part];
    clear_others(other, part);
    differs |= other;
  }
  /// True if the high words are equal and the low words have the distances of `near`.
  HEDDLE_INLINE bool fit(const NearAddresses& near) const {
    const std::uint32_t lowest = low[first] - near.distance[first];
    EightLanes differs{};
    add_misfits(differs, lowest, near, 0);
    add_misfits(differs, lowest, near, 1);
    add_misfits(differs, lowest, near, 2);
    add_misfits(differs, lowest, near, 3);
    if (high) {
      add_high(differs, 0);
      add_high(differs, 1);
      add_high(differs, 2);
      add_high(differs, 3);
    }
    return joined(differs) == 0;
  }

  /// Computes the distances from the lowest address. Returns false if high words differ or a lane is too far
  /// from the first.
  HEDDLE_INLINE bool measure(NearAddresses& near) const {
    if (high && high_differs()) return false;
    Signed below{}, above{};
    const auto reach = [&](const Signed& least, const Signed& most) {
      below = least < below ? least : below;
      above = most > above ? most : above;
    };
    for (int p = 0; p < LaneWords::kParts; ++p) {
      EightLanes distance = lane_words(low.lane).part[p] - low[first];
      clear_others(distance, p);
      lane_words(near.distance.lane).part[p] = distance;
      reach(reinterpret_cast<Signed>(distance), reinterpret_cast<Signed>(distance));
    }
    reach(__builtin_shufflevector(below, below, 4, 5, 6, 7, 0, 1, 2, 3),
          __builtin_shufflevector(above, above, 4, 5, 6, 7, 0, 1, 2, 3));
    reach(__builtin_shufflevector(below, below, 2, 3, 0, 1, 6, 7, 4, 5),
          __builtin_shufflevector(above, above, 2, 3, 0, 1, 6, 7, 4, 5));
    reach(__builtin_shufflevector(below, below, 1, 0, 3, 2, 5, 4, 7, 6),
          __builtin_shufflevector(above, above, 1, 0, 3, 2, 5, 4, 7, 6));
    const auto lowest = static_cast<std::uint32_t>(below[0]);
    EightLanes bits{};
    for (int p = 0; p < LaneWords::kParts; ++p) bits |= lane_words(near.distance.lane).part[p] -= lowest;
    near.span = static_cast<std::uint32_t>(above[0]) - lowest;
    near.bits = joined(bits);
    return near.span >> 31 == 0;
  }

  HEDDLE_INLINE bool find(std::int64_t offset, NearAddresses& near) const {
    if (near.active != active || !fit(near)) {
      near.active = 0;
      near.shift = -1;
      near.rows = NearAddresses::Rows::unknown;
      if (!measure(near)) return false;
      near.active = active;
    }
    const std::uint64_t back = near.distance[first], word = low[first],
                        from = high ? word
                                    : static_cast<std::uint32_t>(word + static_cast<std::uint64_t>(offset));
    near.low = from - back;
    if (from < back || (near.low + near.span) >> 32 != 0) return false;
    if (high) near.low += (std::uint64_t{high->lane[first]} << 32) + static_cast<std::uint64_t>(offset);
    return true;
  }
};

HEDDLE_INLINE bool find(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask active,
                        NearAddresses& near) {
  if (active == kAllLanes) return Words<true>{low, high, 0, active}.find(offset, near);
  return Words<false>{low, high, std::countr_zero(active), active}.find(offset, near);
}
bool find_narrow(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask active,
                 NearAddresses& near) {
  return find(low, high, offset, active, near);
}
HEDDLE_AVX2 bool find_wide(const LaneVec& low, const LaneVec* high, std::int64_t offset, LaneMask active,
                           NearAddresses& near) {
  return find(low, high, offset, active, near);
}

HEDDLE_INLINE LaneMask find_changes(const NearAddresses& near) {
  alignas(EightLanes) std::uint32_t pieces[8 + kLanes];  // pieces of the lanes start at index 8
  pieces[7] = 0;
  EightLanes changes{};
  for (int p = 0; p < LaneWords::kParts; ++p) {
    const EightLanes own =
        (lane_words(near.distance.lane).part[p] + near.within) >> static_cast<std::uint32_t>(near.shift);
    lane_words(pieces + 8).part[p] = own;
    EightLanes before;  // the same lanes shifted by one
    std::memcpy(&before, pieces + 7 + 8 * p, sizeof before);
    changes |= lane_words(kLaneBits.lane).part[p] & reinterpret_cast<EightLanes>(own != before);
  }
  return joined(changes) | 1u;
}
HEDDLE_INLINE std::span<const std::uint64_t> leave_out(NearAddresses& near, int shift,
                                                       std::array<std::uint64_t, kLanes>& room) {
  const std::uint32_t within = static_cast<std::uint32_t>(near.low) & ((1u << shift) - 1);
  if (near.shift != shift || near.within != within) {
    near.shift = shift;
    near.within = within;
    near.changes = find_changes(near);
  }
  std::uint64_t* next = room.data();
  for (LaneMask left = near.changes; left != 0; left &= left - 1)
    *next++ = near.low + near.distance[std::countr_zero(left)];
  return {room.data(), next};
}
std::span<const std::uint64_t> leave_out_narrow(NearAddresses& near, int shift,
                                                std::array<std::uint64_t, kLanes>& room) {
  return leave_out(near, shift, room);
}
HEDDLE_AVX2 std::span<const std::uint64_t> leave_out_wide(NearAddresses& near, int shift,
                                                          std::array<std::uint64_t, kLanes>& room) {
  return leave_out(near, shift, room);
}

}  // namespace

const FindNear find_near = host_has_avx2() ? find_wide : find_narrow;
const OneAPiece one_a_piece = host_has_avx2() ? leave_out_wide : leave_out_narrow;

}  // namespace heddle::reference
