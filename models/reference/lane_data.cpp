// Transfer of data between memory and lanes (lane_memory.h).

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
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): signed bytes are sign-extended
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

HEDDLE_INLINE HEDDLE_AVX2 bool lies_in_row(NearAddresses& near, int half) {
  constexpr int kHalf = kLanes / 2;
  const LaneMask lanes = near.active >> half * kHalf & ((LaneMask{1} << kHalf) - 1);
  if (lanes == 0) return true;
  const int first = std::countr_zero(lanes);
  near.begin[half] = static_cast<std::int32_t>(near.distance[half * kHalf + first]) - 4 * first;
  const __m256i begin = _mm256_set1_epi32(near.begin[half]);
  __m256i place = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28), beside = _mm256_setzero_si256();
  for (int part = 2 * half; part < 2 * half + 2; ++part) {
    const auto distance = reinterpret_cast<__m256i>(lane_words(near.distance.lane).part[part]);
    const __m256i differs = _mm256_xor_si256(_mm256_sub_epi32(distance, begin), place);
    beside = _mm256_or_si256(beside, _mm256_and_si256(lanes_of(near.active, part), differs));
    place = _mm256_add_epi32(place, _mm256_set1_epi32(32));
  }
  return _mm256_testz_si256(beside, beside) != 0;
}
/// True if the words of the active lanes form two contiguous rows, one for each half of the warp.
HEDDLE_INLINE HEDDLE_AVX2 bool lie_in_rows(const ResolvedAccess& access, LaneMask active) {
  NearAddresses& near = *access.near;
  if (near.rows == NearAddresses::Rows::unknown)
    near.rows =
        lies_in_row(near, 0) && lies_in_row(near, 1) ? NearAddresses::Rows::yes : NearAddresses::Rows::no;
  return near.rows == NearAddresses::Rows::yes && near.active == active;
}
HEDDLE_INLINE HEDDLE_AVX2 std::uint8_t* row_of(const ResolvedAccess& access, int part) {
  return access.base + access.near->begin[part / 2] + 32 * (part % 2);
}

HEDDLE_INLINE HEDDLE_AVX2 void load_part(const ResolvedAccess& access, int offset, LaneMask active,
                                         LaneVec& into, int part) {
  const auto* const row = row_of(access, part) + offset;
  EightLanes& words = lane_words(into.lane).part[part];
  if (active == kAllLanes) {
    words = reinterpret_cast<EightLanes>(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)));
  } else {
    const __m256i taken = lanes_of(active, part);
    const __m256i loaded = _mm256_maskload_epi32(reinterpret_cast<const int*>(row), taken);
    words = reinterpret_cast<EightLanes>(_mm256_blendv_epi8(reinterpret_cast<__m256i>(words), loaded, taken));
  }
}
// Loads eight lanes with a gather instruction. Distances are below 2^31 (near_addresses.h).
HEDDLE_INLINE HEDDLE_AVX2 void gather_part(const ResolvedAccess& access, int offset, LaneMask active,
                                           LaneVec& into, int part) {
  EightLanes& words = lane_words(into.lane).part[part];
  words = reinterpret_cast<EightLanes>(_mm256_mask_i32gather_epi32(
      reinterpret_cast<__m256i>(words), reinterpret_cast<const int*>(access.base + offset),
      reinterpret_cast<__m256i>(lane_words(access.near->distance.lane).part[part]), lanes_of(active, part),
      1));
}
HEDDLE_AVX2 void gather_wide(const ResolvedAccess& access, int offset, LaneMask active, LaneVec& into) {
  if (!access.base) return gather_one_by_one(access, offset, active, into);
  if (lie_in_rows(access, active)) {
    load_part(access, offset, active, into, 0);
    load_part(access, offset, active, into, 1);
    load_part(access, offset, active, into, 2);
    load_part(access, offset, active, into, 3);
  } else {
    gather_part(access, offset, active, into, 0);
    gather_part(access, offset, active, into, 1);
    gather_part(access, offset, active, into, 2);
    gather_part(access, offset, active, into, 3);
  }
}

HEDDLE_INLINE HEDDLE_AVX2 void store_part(const ResolvedAccess& access, LaneMask active, const LaneVec& from,
                                          int part) {
  const auto words = reinterpret_cast<__m256i>(lane_words(from.lane).part[part]);
  if (active == kAllLanes)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(row_of(access, part)), words);
  else
    _mm256_maskstore_epi32(reinterpret_cast<int*>(row_of(access, part)), lanes_of(active, part), words);
}
// Stores the first half before the second, which may overwrite its words.
HEDDLE_AVX2 void scatter_wide(const ResolvedAccess& access, LaneMask active, const LaneVec& from) {
  if (!access.base || !lie_in_rows(access, active)) return scatter_one_by_one(access, active, from);
  store_part(access, active, from, 0);
  store_part(access, active, from, 1);
  store_part(access, active, from, 2);
  store_part(access, active, from, 3);
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
