#pragma once

// Set of future cycles with a requested tick.

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
    if (cycle < first_) first_ = cycle;
    if (cycle - now >= kNear) return add_far(cycle);
    near_[cycle % kNear / 64] |= std::uint64_t{1} << (cycle % 64);
    filled_ |= std::uint64_t{1} << (cycle % kNear / 64);
  }
  /// True if `cycle` was requested; removes it and everything before it. Called once for every tick.
  bool take(Cycle cycle) { return first_ <= cycle && take_asked(cycle); }
  /// First requested cycle after `now`, kNever if none.
  Cycle next(Cycle now) const { return first_ > now ? first_ : search(now + 1); }

 private:
  void add_far(Cycle cycle);
  bool take_asked(Cycle cycle);
  bool take_far(Cycle cycle);
  Cycle search(Cycle first) const;

  Cycle first_ = kNever;  ///< no cycle before it was requested
  std::array<std::uint64_t, kNear / 64> near_{};
  std::uint64_t filled_ = 0;  ///< words of near_ that are not 0, a bit each
  std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> far_;
};

}  // namespace heddle
