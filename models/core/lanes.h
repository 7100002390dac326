#pragma once

// Data of the 32 lanes of a warp, and masks of lanes. A LaneVec has one 32-bit word for each lane (1024 bits,
// the size of an entry of a register bank).

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace heddle {

inline constexpr int kLanes = 32;

/// Set of lanes. Bit i stands for lane i.
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLanes = 0xffffffffu;

/// Poison: content of freed or unwritten storage in checked runs. If a program uses such storage by mistake,
/// this value appears in the results.
inline constexpr std::uint32_t kPoison = 0xdeadbeefu;

struct alignas(64) LaneVec {
  std::uint32_t lane[kLanes];
  std::uint32_t& operator[](int i) { return lane[i]; }
  std::uint32_t operator[](int i) const { return lane[i]; }
  void fill(std::uint32_t v) {
    for (auto& x : lane) x = v;
  }
  bool operator==(const LaneVec& o) const { return std::memcmp(lane, o.lane, sizeof lane) == 0; }
};

/// Word i has only bit i set, for i from 0 to 31.
inline constexpr LaneVec kLaneBits = [] {
  LaneVec bits{};
  for (int i = 0; i < kLanes; ++i) bits.lane[i] = std::uint32_t{1} << i;
  return bits;
}();

/// Copies the words of the lanes in `mask` from `from`. The other lanes of `into` keep their words.
inline void merge_lanes(LaneVec& into, const LaneVec& from, LaneMask mask) {
  if (mask == kAllLanes) {
    into = from;
    return;
  }
  for (int i = 0; i < kLanes; ++i) {
    const std::uint32_t keep = (mask & kLaneBits.lane[i]) != 0 ? 0 : ~std::uint32_t{0};
    into.lane[i] = (into.lane[i] & keep) | (from.lane[i] & ~keep);
  }
}

inline int count_lanes(LaneMask m) { return std::popcount(m); }

}  // namespace heddle
