#pragma once

// Probe points of the toys: their decisions, for observers (models/core/probe.h).

#include "models/core/ids.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

/// Point of "toy-echo": the answer is true if the stage stores the metadata that a fetch reaches.
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

/// Point of "toy-single-file": the warps that it blocks.
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
