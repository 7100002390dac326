#pragma once

// Interface of the decision on spills (Jeon 2015, 8.1): the warps that give up their registers while
// registers are short, and the warps that get them back.

#include <span>

#include "models/core/register_set.h"
#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

/// Location of the registers of an SM's warps. A running warp that is not in `going`, `out` or `coming` has
/// its registers.
struct SpillView {
  WarpSet running;  ///< resident warps that have not exited
  WarpSet pending;  ///< running warps that wait at a barrier
  WarpSet quiet;    ///< running warps without an instruction in flight that are not within a strand
  WarpSet going;    ///< warps that are stopped or being written to memory
  WarpSet out;      ///< warps whose registers are in memory
  WarpSet coming;   ///< warps whose registers are being read back
  std::span<const RegisterSet> saved;  ///< by warp slot, for warps in `out` or `coming`: registers in memory
  std::span<const WarpView> warps;     ///< by warp slot of the SM: age
};
struct SpillOrders {
  WarpSet out;   ///< warps to stop and to write out when they are quiet; they must have their registers
  WarpSet back;  ///< warps to read back; they must be in `out`
};

class SpillDecision {
 public:
  virtual SpillOrders order_spills(const SpillView& view) = 0;

 protected:
  ~SpillDecision() = default;
};

}  // namespace heddle
