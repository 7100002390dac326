#pragma once

// Probe points of the plug-in parts, at which observers see their decisions (models/core/probe.h).

#include "models/core/ids.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

/// Probe point of the plug-in "toy-echo". The answer is true if the stage stores the metadata that a fetch
/// reaches.
struct EchoPoint {
  struct Owner {
    int entries = 0;
  };
  struct View {
    Cycle now = 0;
    WarpId warp{};
    std::uint32_t pc = 0;
  };
  using Answer = bool;
};

/// Probe point of the plug-in "toy-single-file". The answer is the set of warps that it blocks.
struct SingleFilePoint {
  struct Owner {
    int ctas = 0;
  };
  struct View {
    const ConstraintView& asked;
  };
  using Answer = WarpSet;
};

}  // namespace heddle
