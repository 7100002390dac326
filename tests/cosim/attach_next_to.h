#pragma once

// Finds the RTL block that runs next to a probe point of the model.

#include <memory>
#include <string>

#include "models/core/error.h"
#include "testbench/cosim/block.h"

namespace heddle::cosim {

inline std::unique_ptr<BlockInstance> attach_next_to(ProbePoint& point, Mode mode,
                                                     const std::string& name = "unit") {
  std::string reason;
  for (const BlockKind* kind : BlockKind::all())
    if (auto instance = kind->attach(point, name, mode, reason)) return instance;
  throw InternalError("no block stands beside this point: " + reason);
}

inline std::string reason_against(ProbePoint& point) {
  std::string reason;
  for (const BlockKind* kind : BlockKind::all()) {
    if (kind->attach(point, "unit", Mode::lockstep, reason)) return "";
    if (!reason.empty()) return reason;
  }
  return "no block is for this point";
}

}  // namespace heddle::cosim
