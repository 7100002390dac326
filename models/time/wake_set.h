#pragma once

// The set of future cycles in which somebody wants a tick.

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

class WakeSet {
 public:
  static constexpr Cycle kNear = 4096;  ///< a ring of bits for the near future; a heap beyond

  void add(Cycle now, Cycle cycle) {
    if (cycle - now >= kNear) return add_far(cycle);
    near_[cycle % kNear / 64] |= std::uint64_t{1} << (cycle % 64);
    filled_ |= std::uint64_t{1} << (cycle % kNear / 64);
  }
  /// Whether `cycle` was asked for; forgets it and everything before it. Called once for every tick.
  bool take(Cycle cycle) {
    std::uint64_t& word = near_[cycle % kNear / 64];
    const std::uint64_t bit = std::uint64_t{1} << (cycle % 64);
    const bool asked = word & bit;
    word &= ~bit;
    if (word == 0) filled_ &= ~(std::uint64_t{1} << (cycle % kNear / 64));
    return far_.empty() ? asked : take_far(cycle) || asked;
  }
  /// The first cycle after `now` that was asked for, kNever if none.
  Cycle next(Cycle now) const {
    const Cycle first = now + 1;
    return near_[first % kNear / 64] >> (first % 64) & 1 ? first : search(first);
  }

 private:
  void add_far(Cycle cycle);
  bool take_far(Cycle cycle);
  Cycle search(Cycle first) const;

  std::array<std::uint64_t, kNear / 64> near_{};
  std::uint64_t filled_ = 0;  ///< words of near_ that are not 0, a bit each
  std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> far_;
};

}  // namespace heddle
