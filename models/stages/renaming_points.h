#pragma once

// Probe points of the renaming stage (models/core/probe.h): the availability of each bank, and the renaming
// table.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/power_state.h"
#include "models/ports/register_place.h"

namespace heddle {

/// Events: an entry of a bank is searched and allocated; or an entry is freed, which needs no answer.
struct AllocatorPoint {
  struct Owner {
    std::uint32_t entries = 0, subarrays = 0;
    bool lowest_first = true;  ///< packing `subarrays`
  };
  struct View {
    bool gives = false;
    std::uint32_t given = 0;
    DomainSet awake = 0;     ///< for a search: subarrays that are on
    DomainSet occupied = 0;  ///< before the search: subarrays with an allocated entry that is not reserved
    std::uint32_t reserved = 0;  ///< number of the lowest entries, which are never allocated
  };
  struct Answer {
    std::uint32_t entry = 0;  ///< Availability::kNone: none
    DomainSet wake = 0;       ///< if there is no entry: the subarray that must wake; 0 if no entry is free
  };
};

/// Events: a register is looked up; or it gets or loses its entry, which needs no answer.
struct TablePoint {
  struct Owner {
    std::uint32_t warps = 0;
    std::uint32_t depth = 0;  ///< entries of the deepest bank
    std::uint32_t banks = 0;
  };
  struct View {
    enum What : std::uint8_t { looks_up, maps, unmaps };
    What what = looks_up;
    WarpId warp{};
    RegId reg{};
    RegisterPlace place{};  ///< place that the register gets
  };
  using Answer = RegisterPlace;
};

}  // namespace heddle
