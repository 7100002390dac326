#pragma once

// The 32 lanes of a warp: one 32-bit word per lane (1024 bits, one entry of a register bank), and lane masks.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace heddle {

inline constexpr int kLanes = 32;

using LaneMask = std::uint32_t;  ///< bit i = lane i
inline constexpr LaneMask kAllLanes = 0xffffffffu;

/// Contents of freed or unwritten storage in checked runs, so that a use of such storage shows in the
/// results.
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

/// Bit i in lane i.
inline constexpr LaneVec kLaneBits = [] {
  LaneVec bits{};
  for (int i = 0; i < kLanes; ++i) bits.lane[i] = std::uint32_t{1} << i;
  return bits;
}();

/// Copies `from` to the lanes of `mask`; other lanes keep their values.
inline void merge_lanes(LaneVec& into, const LaneVec& from, LaneMask mask) {
  if (mask == kAllLanes) {
    into = from;
    return;
  }
  for (int i = 0; i < kLanes; ++i) {  // no shift by i, which some hosts cannot vectorise
    const std::uint32_t keep = (mask & kLaneBits.lane[i]) != 0 ? 0 : ~std::uint32_t{0};
    into.lane[i] = (into.lane[i] & keep) | (from.lane[i] & ~keep);
  }
}

inline int count_lanes(LaneMask m) { return std::popcount(m); }

}  // namespace heddle
