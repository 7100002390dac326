#pragma once

// Activity of each warp of an SM in one cycle, for waveforms, timelines and profiles.

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/core/warp_set.h"

namespace heddle {

/// What a warp does in a cycle: `issuing`, or the reason why the warp does not issue.
enum class WarpActivity : std::uint8_t {
  empty,
  issuing,
  ready,
  dependence,
  memory,
  fetch,
  barrier,
  fence,
  draining,
  async
};

/// Activities of all warps. WarpSet bits_[b] holds bit b of every warp's activity number.
class WarpActivities {
 public:
  // Sets the activity of `warps`. The function has no loop, because GCC at -O2 would compute loop bounds at
  // run time.
  void add(WarpActivity activity, WarpSet warps) {
    const auto number = static_cast<unsigned>(activity);
    if (number & 1) bits_[0] |= warps;
    if (number & 2) bits_[1] |= warps;
    if (number & 4) bits_[2] |= warps;
    if (number & 8) bits_[3] |= warps;
  }
  WarpActivity of(WarpId warp) const {
    const auto bit = [&](std::size_t b) { return unsigned{bits_[b].contains(warp)} << b; };
    return static_cast<WarpActivity>(bit(0) | bit(1) | bit(2) | bit(3));
  }
  WarpSet changed_since(const WarpActivities& before) const {
    WarpSet changed;
    for (std::size_t bit = 0; bit < kBits; ++bit) changed |= bits_[bit] ^ before.bits_[bit];
    return changed;
  }

 private:
  static constexpr std::size_t kBits = 4;
  static_assert(static_cast<std::size_t>(WarpActivity::async) < std::size_t{1} << kBits);

  std::array<WarpSet, kBits> bits_{};
};

}  // namespace heddle
