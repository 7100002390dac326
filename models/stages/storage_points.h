#pragma once

// Probe points of register caches and operand files, at which observers and RTL blocks attach: the sets of a
// cache, and the assignment of storage parts to warps.

#include <cstddef>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

/// Probe point of one cache set. Events: a register is looked up, a line is chosen for a register that has
/// none, or a line changes. RTL may replace the results of look-ups and choices.
struct CacheSetPoint {
  struct Owner {
    int ways = 0;
    bool lru = false;
  };
  struct View {
    enum What : std::uint8_t { finds, chooses, takes, gives_up, touches, writes, fills, drops };
    What what = finds;
    std::uint32_t key = 0;  ///< for `finds` and `takes`: warp and register in one number (CacheStore::key)
    std::uint32_t way = 0;
    LaneMask lanes = 0;
    /// for `writes`: true if the compiler has marked the values dead
    bool dead = false;
  };
  struct Answer {
    bool hit = false;
    std::uint32_t way = 0;
    LaneMask valid = 0, dirty = 0;
  };
};

/// Probe point of the assignment of storage parts to warps. Events: a warp requests or frees a part.
struct SlotsPoint {
  struct Owner {
    int warps = 0;
  };
  struct View {
    bool leaves = false;
    WarpId warp{};
  };
  using Answer = std::size_t;
};

}  // namespace heddle
