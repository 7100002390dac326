#pragma once

// Set of future cycles in which a clock must tick.

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

class WakeSet {
 public:
  /// Number of cycles that the ring of bits covers. Later cycles are in a heap.
  static constexpr Cycle kNear = 4096;

  void add(Cycle now, Cycle cycle) {
    if (cycle < first_) first_ = cycle;
    if (cycle - now >= kNear) return add_far(cycle);
    near_[cycle % kNear / 64] |= std::uint64_t{1} << (cycle % 64);
    filled_ |= std::uint64_t{1} << (cycle % kNear / 64);
  }
  /// Returns true if a tick was requested for `cycle`. Removes this and all earlier cycles from the set.
  bool take(Cycle cycle) { return first_ <= cycle && take_requested(cycle); }
  Cycle next(Cycle now) const { return first_ > now ? first_ : search(now + 1); }

 private:
  void add_far(Cycle cycle);
  bool take_requested(Cycle cycle);
  bool take_far(Cycle cycle);
  Cycle search(Cycle first) const;

  Cycle first_ = kNever;
  std::array<std::uint64_t, kNear / 64> near_{};
  std::uint64_t filled_ = 0;  ///< one bit for each word of near_; set if the word is not 0
  std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> far_;
};

}  // namespace heddle
