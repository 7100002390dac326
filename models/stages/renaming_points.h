#pragma once

// Probe points of the renaming stage, at which observers and RTL blocks attach: the free list of each bank,
// and the renaming table.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/power_state.h"
#include "models/ports/register_place.h"

namespace heddle {

/// Probe point of a bank's free list. Events: an entry is chosen and allocated, or an entry is freed. RTL may
/// replace the choice.
struct AllocatorPoint {
  struct Owner {
    std::uint32_t entries = 0, subarrays = 0;
    bool lowest_first = true;
  };
  struct View {
    bool gives = false;
    std::uint32_t given = 0;
    DomainSet awake = 0;
    /// subarrays with an entry in use before an entry is chosen; reserved entries do not count
    DomainSet occupied = 0;
    std::uint32_t reserved = 0;
  };
  struct Answer {
    std::uint32_t entry = 0;
    /// subarray that must wake if only sleeping subarrays have a free entry; 0 if no entry of the bank is
    /// free
    DomainSet wake = 0;
  };
};

/// Probe point of the renaming table. Events: a register is looked up, or a register gets or loses its entry.
/// RTL may replace the result of a look-up.
struct TablePoint {
  struct Owner {
    std::uint32_t warps = 0;
    std::uint32_t depth = 0;
    std::uint32_t banks = 0;
  };
  struct View {
    enum What : std::uint8_t { looks_up, maps, unmaps };
    What what = looks_up;
    WarpId warp{};
    RegId reg{};
    RegisterPlace place{};
  };
  using Answer = RegisterPlace;
};

}  // namespace heddle
