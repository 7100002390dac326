#pragma once

// "test-release-monitor": a stage for the top of the register path. It checks every release against the
// program's flags and against the earliest time. It uses the program and the issues, but not the
// implementation of releases.
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
  std::string fault;                 ///< first violation; empty: none
  std::uint64_t came = 0;            ///< number of releases
  std::uint64_t by_lists = 0;        ///< requested by lists
  std::uint64_t by_guarded_off = 0;  ///< requested by instructions that are guarded off in every lane
  std::uint64_t by_control = 0;      ///< by barriers and branches
  std::uint64_t later = 0;           ///< arrived in a later cycle than requested, because of a write
  struct Event {
    Cycle cycle;
    char what;  ///< i: issue (of a pc), w: last result (of a register), r: release (of a register)
    std::uint32_t of;
  };
  std::vector<Event> of_warp_0;
};

/// Counts over all monitors since the last reset.
ReleaseLog& release_log();

}  // namespace heddle::hierarchy
