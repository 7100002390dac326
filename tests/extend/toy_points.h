#pragma once

#include "models/core/ids.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

/// Probe point of "toy-echo". Its answer is true if the stage stores the fetched metadata.
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

/// Probe point of the issue constraint "toy-single-file". The answer of the probe point is the set of warps
/// that the constraint blocks.
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
