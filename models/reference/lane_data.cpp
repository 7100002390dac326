// How the words of an access get from memory to lanes and back (lane_memory.h).

#include <bit>
#include <cstring>

#include "models/core/host_vectors.h"
#include "models/reference/lane_memory.h"

namespace heddle::reference {
namespace {

template <class T>
void gather_as(const ResolvedAccess& access, int element, LaneVec& low) {
  for (int i = 0; i < kLanes; ++i) {
    T value;
    std::memcpy(&value, access.at(i) + static_cast<std::size_t>(element) * sizeof(T), sizeof(T));
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): signed bytes extend
    low[i] = static_cast<std::uint32_t>(value);
  }
}

void gather_one_by_one(const ResolvedAccess& access, int offset, LaneMask active, LaneVec& into) {
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::memcpy(&into[lane], access.at(lane) + offset, sizeof into[lane]);
  }
}
void scatter_one_by_one(const ResolvedAccess& access, LaneMask active, const LaneVec& from) {
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::memcpy(access.at(lane), &from.lane[lane], sizeof from.lane[lane]);
  }
}

#if HEDDLE_HOST_X86
HEDDLE_INLINE HEDDLE_AVX2 __m256i lanes_of(LaneMask mask, int part) {
  return reinterpret_cast<__m256i>((lane_words(kLaneBits.lane).part[part] & mask) != 0);
}

// Of lanes that lie together. Distances are below 2^31 (near_addresses.h).
HEDDLE_INLINE HEDDLE_AVX2 void gather_part(const int* base, const NearAddresses& near, LaneMask active,
                                           LaneVec& into, int part) {
  EightLanes& words = lane_words(into.lane).part[part];
  words = reinterpret_cast<EightLanes>(_mm256_mask_i32gather_epi32(
      reinterpret_cast<__m256i>(words), base,
      reinterpret_cast<__m256i>(lane_words(near.distance.lane).part[part]), lanes_of(active, part), 1));
}
HEDDLE_AVX2 void gather_wide(const ResolvedAccess& access, int offset, LaneMask active, LaneVec& into) {
  if (!access.base) return gather_one_by_one(access, offset, active, into);
  const auto* const base = reinterpret_cast<const int*>(access.base + offset);
  gather_part(base, *access.near, active, into, 0);
  gather_part(base, *access.near, active, into, 1);
  gather_part(base, *access.near, active, into, 2);
  gather_part(base, *access.near, active, into, 3);
}

/// Words of a half's lanes that lie side by side, if all active ones do.
struct Row {
  std::int32_t begin = 0;  ///< where its first lane would lie, from the base on
  __m256i taken[2];
};
HEDDLE_INLINE HEDDLE_AVX2 bool lies_in_row(const NearAddresses& near, LaneMask active, int half, Row& row) {
  constexpr int kHalf = kLanes / 2;
  const LaneMask lanes = active >> half * kHalf & ((LaneMask{1} << kHalf) - 1);
  if (lanes != 0) {
    const int first = std::countr_zero(lanes);
    row.begin = static_cast<std::int32_t>(near.distance[half * kHalf + first]) - 4 * first;
  }
  const __m256i begin = _mm256_set1_epi32(row.begin);
  __m256i place = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28), beside = _mm256_setzero_si256();
  for (int p = 0; p < 2; ++p) {
    row.taken[p] = lanes_of(active, 2 * half + p);
    const auto distance = reinterpret_cast<__m256i>(lane_words(near.distance.lane).part[2 * half + p]);
    beside = _mm256_or_si256(
        beside, _mm256_and_si256(row.taken[p], _mm256_xor_si256(_mm256_sub_epi32(distance, begin), place)));
    place = _mm256_add_epi32(place, _mm256_set1_epi32(32));
  }
  return _mm256_testz_si256(beside, beside) != 0;
}
HEDDLE_INLINE HEDDLE_AVX2 void store_row(std::uint8_t* base, const Row& row, const LaneVec& from, int half) {
  for (int p = 0; p < 2; ++p)
    _mm256_maskstore_epi32(reinterpret_cast<int*>(base + row.begin + 32 * p), row.taken[p],
                           reinterpret_cast<__m256i>(lane_words(from.lane).part[2 * half + p]));
}
HEDDLE_AVX2 void scatter_wide(const ResolvedAccess& access, LaneMask active, const LaneVec& from) {
  Row first, second;
  if (!access.base || !lies_in_row(*access.near, active, 0, first) ||
      !lies_in_row(*access.near, active, 1, second))
    return scatter_one_by_one(access, active, from);
  store_row(access.base, first, from, 0);
  store_row(access.base, second, from, 1);
}
const auto gather_here = host_has_avx2() ? gather_wide : gather_one_by_one;
const auto scatter_here = host_has_avx2() ? scatter_wide : scatter_one_by_one;
#else
constexpr auto gather_here = gather_one_by_one;
constexpr auto scatter_here = scatter_one_by_one;
#endif

}  // namespace

void gather_words(const ResolvedAccess& access, int offset, LaneMask active, LaneVec& into) {
  gather_here(access, offset, active, into);
}

void scatter_words(const ResolvedAccess& access, LaneMask active, const LaneVec& from) {
  scatter_here(access, active, from);
}

void gather(const ResolvedAccess& access, const isa::MemoryAccess& form, int element, bool is_signed,
            int bits, LaneVec& low, LaneVec* high) {
  switch (form.element_bytes) {
    case 1:
      if (is_signed)
        gather_as<std::int8_t>(access, element, low);
      else
        gather_as<std::uint8_t>(access, element, low);
      break;
    case 2:
      if (is_signed)
        gather_as<std::int16_t>(access, element, low);
      else
        gather_as<std::uint16_t>(access, element, low);
      break;
    default:
      gather_words(access, element * form.element_bytes, kAllLanes, low);
  }
  if (bits < 32) {
    for (auto& word : low.lane) word &= (1u << bits) - 1;
  }
  if (!high) return;
  if (form.element_bytes == 8)
    return gather_words(access, element * form.element_bytes + 4, kAllLanes, *high);
  for (int i = 0; i < kLanes; ++i)
    high->lane[i] = is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(low[i]) >> 31) : 0;
}

std::uint64_t read_element(const std::uint8_t* pointer, int element_bytes) {
  const auto read_as = [pointer]<class T>(T value) {
    std::memcpy(&value, pointer, sizeof value);
    return std::uint64_t{value};
  };
  switch (element_bytes) {
    case 1:
      return read_as(std::uint8_t{});
    case 2:
      return read_as(std::uint16_t{});
    case 8:
      return read_as(std::uint64_t{});
    default:
      return read_as(std::uint32_t{});
  }
}

void scatter(std::uint8_t* pointer, int element_bytes, std::uint32_t low, std::uint32_t high) {
  switch (element_bytes) {
    case 1:
      *pointer = static_cast<std::uint8_t>(low);
      break;
    case 2: {
      const auto half = static_cast<std::uint16_t>(low);
      std::memcpy(pointer, &half, 2);
      break;
    }
    case 8:
      std::memcpy(pointer + 4, &high, 4);
      [[fallthrough]];
    default:
      std::memcpy(pointer, &low, 4);
  }
}

}  // namespace heddle::reference
