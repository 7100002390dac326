#pragma once

// Probe points of the renaming stage (models/core/probe.h): the availability of each bank, and the renaming table.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/power_state.h"
#include "models/ports/register_place.h"

namespace heddle {

/// An entry of a bank is searched, and allocated if there is one; or an entry is freed, which needs no
/// answer.
struct AllocatorPoint {
  struct Owner {
    std::uint32_t entries = 0, subarrays = 0;
    bool lowest_first = true;  ///< packing `subarrays`
  };
  struct View {
    bool gives = false;
    std::uint32_t given = 0;
    DomainSet awake = 0;         ///< of a look-up: subarrays that are on
    DomainSet occupied = 0;      ///< before it: subarrays in which an entry is taken that is not reserved
    std::uint32_t reserved = 0;  ///< the lowest entries, which are never allocated
  };
  struct Answer {
    std::uint32_t entry = 0;  ///< Availability::kNone: none
    DomainSet wake = 0;       ///< then: the subarray that has to wake; 0 if no entry is free
  };
};

/// A register is looked up; or it gets or gives up its entry, which needs no answer.
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
    RegisterPlace place{};  ///< that it gets
  };
  using Answer = RegisterPlace;
};

}  // namespace heddle
