#include "models/scheduler/stall_reason.h"

#include <algorithm>

namespace heddle {

const char* name_of(StallReason reason) {
  switch (reason) {
    case StallReason::no_warp:
      return "no-warp";
    case StallReason::no_pair:
      return "no-pair";
    case StallReason::inactive:
      return "inactive";
    case StallReason::unit_unavailable:
      return "gated";
    case StallReason::structural:
      return "structural";
    case StallReason::dependence:
      return "dependence";
    case StallReason::texture:
      return "texture";
    case StallReason::memory:
      return "memory";
    case StallReason::fetch:
      return "fetch";
    case StallReason::async:
      return "async";
    case StallReason::barrier:
      return "barrier";
    case StallReason::fence:
      return "fence";
    case StallReason::count_:
      break;
  }
  return "?";
}

std::vector<std::string> stall_reason_names(std::vector<std::string> own) {
  std::vector<std::string> names;
  for (int r = 0; r < static_cast<int>(StallReason::count_); ++r)
    names.emplace_back(name_of(static_cast<StallReason>(r)));
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  for (const std::string& name : own)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace heddle
