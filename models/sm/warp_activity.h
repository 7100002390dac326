#pragma once

// What the warps of an SM do in one cycle: each slot stands in one set.

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/core/warp_set.h"

namespace heddle {

/// Why a warp does not issue, or that it does.
enum class WarpActivity : std::uint8_t {
  empty,
  issuing,
  ready,
  dependence,
  memory,
  fetch,
  barrier,
  fence,
  draining
};

class WarpActivities {
 public:
  static constexpr auto kKinds = static_cast<std::size_t>(WarpActivity::draining) + 1;

  WarpSet of(WarpActivity activity) const { return sets_[static_cast<std::size_t>(activity)]; }
  void add(WarpActivity activity, WarpSet warps) { sets_[static_cast<std::size_t>(activity)] |= warps; }
  WarpActivity of(WarpId warp) const {
    for (std::size_t k = 1; k < kKinds; ++k)
      if (sets_[k].contains(warp)) return static_cast<WarpActivity>(k);
    return WarpActivity::empty;
  }
  /// Those that do something else than in `before`.
  WarpSet changed_since(const WarpActivities& before) const {
    WarpSet changed;
    for (std::size_t k = 0; k < kKinds; ++k) changed |= sets_[k] ^ before.sets_[k];
    return changed;
  }

 private:
  std::array<WarpSet, kKinds> sets_{};
};

}  // namespace heddle
