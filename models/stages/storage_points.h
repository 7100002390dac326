#pragma once

// Probe points of what register caches and operand files keep their books in (models/core/probe.h): the sets of a cache,
// and which part of a structure a warp has.

#include <cstddef>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

/// One set of a cache: a register is looked up, or a line for a register that has none; or a line changes,
/// which needs no answer.
struct CacheSetPoint {
  struct Owner {
    int ways = 0;
    bool lru = false;  ///< else fifo
  };
  struct View {
    enum What : std::uint8_t { finds, chooses, takes, gives_up, touches, writes, fills, drops };
    What what = finds;
    std::uint32_t key = 0;  ///< warp and register (CacheStore::key): finds, takes
    std::uint32_t way = 0;  ///< of what happens
    LaneMask lanes = 0;     ///< writes, fills, drops
    bool dead = false;      ///< writes: values that need not be written below
  };
  struct Answer {
    bool hit = false;
    std::uint32_t way = 0;          ///< of a hit; of the line that is chosen
    LaneMask valid = 0, dirty = 0;  ///< of a hit
  };
};

/// A warp requests its part, or leaves.
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
