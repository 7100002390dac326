#pragma once

// "test-release-monitor": a stage for the top of the register path that holds every release to what the flags of
// the program ask for, and to when it may come. It knows the program and hears what issues; how releases are
// brought about is none of its business.
//
//  - A release comes only if an issued instruction asked for it: by its flags, or by a list in front of it that
//    does not name what it writes.
//  - No instruction that has issued still reads the register, none still writes it.
//  - While a release that was asked for has not come, nobody who writes the register issues.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/ids.h"

namespace heddle::hierarchy {

struct ReleaseLog {
  std::string fault;                 ///< the first rule that was broken; empty: none
  std::uint64_t came = 0;            ///< releases
  std::uint64_t by_lists = 0;        ///< asked for by lists
  std::uint64_t by_guarded_off = 0;  ///< by instructions guarded off in every lane
  std::uint64_t by_control = 0;      ///< by barriers and branches
  std::uint64_t later = 0;           ///< came in a later cycle than they were asked for, because of a write
  struct Event {
    Cycle cycle;
    char what;  ///< i: issued (of: pc), w: last result (of: register), r: released (of: register)
    std::uint32_t of;
  };
  std::vector<Event> of_warp_0;
};

/// Of all monitors since it was last cleared.
ReleaseLog& release_log();

}  // namespace heddle::hierarchy
