#pragma once

// The 32 lanes of a warp: one 32-bit word a lane (1024 bits, one register-bank entry), and lane masks.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace heddle {

inline constexpr int kLanes = 32;

using LaneMask = std::uint32_t;  ///< bit i = lane i
inline constexpr LaneMask kAllLanes = 0xffffffffu;

/// Contents of storage that was given up or never written, in checked runs, so that a use after death shows.
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

/// Lane i holds bit i.
inline constexpr LaneVec kLaneBits = [] {
  LaneVec bits{};
  for (int i = 0; i < kLanes; ++i) bits.lane[i] = std::uint32_t{1} << i;
  return bits;
}();

/// Lanes of `mask` take the new value, the others keep theirs.
inline void merge_lanes(LaneVec& into, const LaneVec& from, LaneMask mask) {
  if (mask == kAllLanes) {
    into = from;
    return;
  }
  for (int i = 0; i < kLanes; ++i) {  // without a shift by i, which not every host's vectors have
    const std::uint32_t keep = (mask & kLaneBits.lane[i]) != 0 ? 0 : ~std::uint32_t{0};
    into.lane[i] = (into.lane[i] & keep) | (from.lane[i] & ~keep);
  }
}

inline int count_lanes(LaneMask m) { return std::popcount(m); }

}  // namespace heddle
