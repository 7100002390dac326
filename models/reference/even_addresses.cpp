#include "models/reference/even_addresses.h"

#include <bit>

#include "models/core/host_vectors.h"

namespace heddle::reference {
namespace {

struct EvenWords {
  std::uint32_t begin[2];
  std::uint32_t step, high;
};

/// Bits in which words of active lanes (of all, where kAll) are not `begin` of their half and a step more for each lane; high words
/// are to be equal. Its loops are of a form that compilers make vectors of.
template <bool kAll>
HEDDLE_INLINE std::uint32_t find_uneven(const LaneVec& low, const LaneVec* high, const EvenWords& even,
                                        LaneMask active) {
  constexpr int kHalf = EvenAddresses::kHalf;
  std::uint32_t differs = 0;
  const auto counts = [&](int i) {
    return kAll || (active & kLaneBits.lane[i]) != 0 ? ~std::uint32_t{0} : 0;
  };
  for (int i = 0; i < kHalf; ++i) {
    const std::uint32_t distance = even.step * static_cast<std::uint32_t>(i);
    differs |= ((low[i] - even.begin[0]) ^ distance) & counts(i);
    differs |= ((low[kHalf + i] - even.begin[1]) ^ distance) & counts(kHalf + i);
  }
  if (high)
    for (int i = 0; i < kLanes; ++i) differs |= (high->lane[i] ^ even.high) & counts(i);
  return differs;
}
template <bool kAll>
std::uint32_t uneven_narrow(const LaneVec& low, const LaneVec* high, const EvenWords& even, LaneMask active) {
  return find_uneven<kAll>(low, high, even, active);
}
template <bool kAll>
HEDDLE_AVX2 std::uint32_t uneven_wide(const LaneVec& low, const LaneVec* high, const EvenWords& even,
                                      LaneMask active) {
  return find_uneven<kAll>(low, high, even, active);
}
const auto uneven_of_all = host_has_avx2() ? uneven_wide<true> : uneven_narrow<true>;
const auto uneven_of_some = host_has_avx2() ? uneven_wide<false> : uneven_narrow<false>;

/// Where a row of lanes begins whose first one's register word is `begin`; its last one is `reach` further. False if it leaves
/// its 4 GiB.
HEDDLE_INLINE bool begin_row(std::uint32_t begin, std::int64_t reach, const LaneVec* high,
                             const EvenWords& words, std::int64_t offset, std::uint64_t& address) {
  const std::uint32_t moved = begin + static_cast<std::uint32_t>(offset);
  address = high ? (begin | std::uint64_t{words.high} << 32) + static_cast<std::uint64_t>(offset) : moved;
  return static_cast<std::uint64_t>(std::int64_t{high ? begin : moved} + reach) >> 32 == 0;
}

/// Those of a part of the lanes: from the first two active neighbours on; a lane alone in its half has no step of its own.
std::optional<EvenAddresses> some_even_addresses(const LaneVec& low, const LaneVec* high, std::int64_t offset,
                                                 LaneMask active) {
  constexpr int kHalf = EvenAddresses::kHalf;
  const LaneMask pairs = active & active >> 1 & ~(LaneMask{1} << (kHalf - 1));
  const int pair = pairs ? std::countr_zero(pairs) : 0;
  EvenWords words{{}, pairs ? low[pair + 1] - low[pair] : 0, high ? high->lane[std::countr_zero(active)] : 0};
  EvenAddresses even;
  even.step = static_cast<std::int32_t>(words.step);
  for (int half = 0; half < 2; ++half) {
    const LaneMask lanes = active >> half * kHalf & ((LaneMask{1} << kHalf) - 1);
    if (lanes == 0) continue;
    const int from = std::countr_zero(lanes), to = static_cast<int>(std::bit_width(lanes)) - 1;
    const std::uint32_t begin = low[half * kHalf + from];
    words.begin[half] = begin - words.step * static_cast<std::uint32_t>(from);
    if (!begin_row(begin, std::int64_t{to - from} * even.step, high, words, offset, even.first[half]))
      return std::nullopt;
    even.first[half] -= static_cast<std::uint64_t>(std::int64_t{from} * even.step);
  }
  if (uneven_of_some(low, high, words, active) != 0) return std::nullopt;
  return even;
}

}  // namespace

std::optional<EvenAddresses> even_addresses(const LaneVec& low, const LaneVec* high, std::int64_t offset,
                                            LaneMask active) {
  constexpr int kHalf = EvenAddresses::kHalf;
  if (active != kAllLanes) return some_even_addresses(low, high, offset, active);
  const EvenWords words{{low[0], low[kHalf]}, low[1] - low[0], high ? high->lane[0] : 0};
  if (uneven_of_all(low, high, words, kAllLanes) != 0) return std::nullopt;
  EvenAddresses even;
  even.step = static_cast<std::int32_t>(words.step);
  const std::int64_t reach = std::int64_t{kHalf - 1} * even.step;
  if (!begin_row(words.begin[0], reach, high, words, offset, even.first[0]) ||
      !begin_row(words.begin[1], reach, high, words, offset, even.first[1]))
    return std::nullopt;
  return even;
}

}  // namespace heddle::reference
