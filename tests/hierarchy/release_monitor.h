#pragma once

// "test-release-monitor": a register stage that checks every release against the program's release flags and
// against the earliest permitted cycle. It does not use the model's own decisions about releases:
//
// - A release arrives only if an issued instruction requested it. The request is a flag of the instruction,
//   or a register list before the instruction. Such a list requests no release of the instruction's own
//   destinations.
// - No issued instruction still has to read or write the register.
// - While a requested release has not arrived, no instruction that writes the register issues.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/ids.h"

namespace heddle::hierarchy {

struct ReleaseLog {
  std::string fault;
  std::uint64_t came = 0;
  std::uint64_t by_lists = 0;
  std::uint64_t by_guarded_off = 0;
  std::uint64_t by_control = 0;
  std::uint64_t later = 0;
  struct Event {
    Cycle cycle;
    /// kind of event: i: an instruction issued (`of`: its pc); w: the last result for a register arrived
    /// (`of`: register); r: a register was released (`of`: register)
    char what;
    std::uint32_t of;
  };
  std::vector<Event> of_warp_0;
};

ReleaseLog& release_log();

}  // namespace heddle::hierarchy
