#pragma once

// Probe points of register caches and operand files (models/core/probe.h), at which observers and RTL blocks
// attach. They cover the sets of a cache, and the assignment of equal parts of a structure to warps.

#include <cstddef>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

/// Probe point of one cache set. Events: a register is looked up, a line is chosen for a register that has
/// none, or a line changes. A changed line has no answer.
struct CacheSetPoint {
  struct Owner {
    int ways = 0;
    bool lru = false;  ///< true: lru replacement; false: fifo replacement
  };
  struct View {
    enum What : std::uint8_t { finds, chooses, takes, gives_up, touches, writes, fills, drops };
    What what = finds;
    std::uint32_t key = 0;  ///< for `finds` and `takes`: warp and register in one number (CacheStore::key)
    std::uint32_t way = 0;  ///< way of the line that changes
    LaneMask lanes = 0;     ///< for `writes`, `fills` and `drops`: the lanes concerned
    /// for `writes`: true if the compiler has marked the values dead, so that they need no write-back
    bool dead = false;
  };
  struct Answer {
    bool hit = false;
    std::uint32_t way = 0;          ///< way of the found line, or of the chosen line
    LaneMask valid = 0, dirty = 0;  ///< for a hit: valid and dirty lanes of the line
  };
};

/// Probe point of the assignment of storage parts to warps. Events: a warp requests a part, or a warp frees
/// its part.
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
