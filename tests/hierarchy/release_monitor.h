#pragma once

// "test-release-monitor": a register stage at the begin of the register path. It checks every release against
// the release flags of the program and against the earliest permitted cycle. It uses the program and the
// issued instructions, but not the model's implementation of releases. The rules are:
//
// - A release arrives only if an issued instruction requested it. The request comes from the instruction's
//   flags, or from a register list before the instruction that does not name its destination.
// - No issued instruction still has to read or write the register.
// - While a requested release has not arrived, no instruction that writes the register issues.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/ids.h"

namespace heddle::hierarchy {

struct ReleaseLog {
  std::string fault;           ///< first violation of a rule; empty if there is none
  std::uint64_t came = 0;      ///< number of releases that arrived
  std::uint64_t by_lists = 0;  ///< number of releases that register lists requested
  /// number of releases requested by instructions that are guarded off in every lane
  std::uint64_t by_guarded_off = 0;
  std::uint64_t by_control = 0;  ///< number of releases requested by barriers and branches
  std::uint64_t later = 0;       ///< number of releases that had to wait for a pending write
  struct Event {
    Cycle cycle;
    /// i: an instruction issued (number: pc), w: the last result of a register arrived, r: a register was
    /// released
    char what;
    std::uint32_t of;
  };
  std::vector<Event> of_warp_0;
};

/// Returns the counts of all monitors since the last reset.
ReleaseLog& release_log();

}  // namespace heddle::hierarchy
