#pragma once

// Probe points of register caches and operand files (models/core/probe.h): the sets of a cache, and the part
// of a structure that each warp has.

#include <cstddef>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

/// Events of one cache set: a register is looked up; a line is chosen for a register without one; or a line
/// changes, which needs no answer.
struct CacheSetPoint {
  struct Owner {
    int ways = 0;
    bool lru = false;  ///< lru replacement; otherwise fifo
  };
  struct View {
    enum What : std::uint8_t { finds, chooses, takes, gives_up, touches, writes, fills, drops };
    What what = finds;
    std::uint32_t key = 0;  ///< warp and register (CacheStore::key), for finds and takes
    std::uint32_t way = 0;  ///< way of the line
    LaneMask lanes = 0;     ///< for writes, fills, drops
    bool dead = false;      ///< for writes: the values need not be written below
  };
  struct Answer {
    bool hit = false;
    std::uint32_t way = 0;          ///< way of a hit, or of the chosen line
    LaneMask valid = 0, dirty = 0;  ///< of a hit
  };
};

/// Events: a warp requests its part, or frees it.
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
