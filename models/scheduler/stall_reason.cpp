#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

const char* name_of(StallReason reason) {
  switch (reason) {
    case StallReason::no_warp:
      return "no-warp";
    case StallReason::no_pair:
      return "no-pair";
    case StallReason::inactive:
      return "inactive";
    case StallReason::gated:
      return "gated";
    case StallReason::structural:
      return "structural";
    case StallReason::dependence:
      return "dependence";
    case StallReason::memory:
      return "memory";
    case StallReason::fetch:
      return "fetch";
    case StallReason::barrier:
      return "barrier";
    case StallReason::fence:
      return "fence";
    case StallReason::count_:
      break;
  }
  return "?";
}

}  // namespace heddle
