#pragma once

// "test-release-monitor": a stage for the top of the register path that checks every release against the
// program's flags and against the earliest time. It knows the program and receives issues, but not how
// releases are implemented.
//
// - A release arrives only if an issued instruction requested it: by its flags, or by a list before it that
//   does not name its destination.
// - No issued instruction still reads or writes the register.
// - While a requested release has not arrived, no instruction that writes the register issues.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/ids.h"

namespace heddle::hierarchy {

struct ReleaseLog {
  std::string fault;                 ///< the first rule that was broken; empty: none
  std::uint64_t came = 0;            ///< releases
  std::uint64_t by_lists = 0;        ///< requested by lists
  std::uint64_t by_guarded_off = 0;  ///< by instructions guarded off in every lane
  std::uint64_t by_control = 0;      ///< by barriers and branches
  std::uint64_t later = 0;           ///< arrived in a later cycle than requested, because of a write
  struct Event {
    Cycle cycle;
    char what;  ///< i: issued (of: pc), w: last result (of: register), r: released (of: register)
    std::uint32_t of;
  };
  std::vector<Event> of_warp_0;
};

/// Count over all monitors since the last reset.
ReleaseLog& release_log();

}  // namespace heddle::hierarchy
