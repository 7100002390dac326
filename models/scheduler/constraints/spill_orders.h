#pragma once

// Interface between the issue constraint that decides on register spills and the class that moves the
// registers (Jeon 2015, 8.1). The decision names the warps that give up their registers while registers are
// short, and the warps that get their registers back.

#include <span>

#include "models/core/register_set.h"
#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

/// Shows where the registers of an SM's warps are. A running warp that is not in `going`, `out` or `coming`
/// has its registers in the register file.
struct SpillView {
  WarpSet running;  ///< resident warps that have not exited
  WarpSet pending;  ///< running warps that wait at a barrier
  /// running warps that have no instruction in flight and would lose no value by leaving their strand
  WarpSet quiet;
  WarpSet going;   ///< warps that have been stopped, or whose registers are being written to memory
  WarpSet out;     ///< warps whose registers are in memory
  WarpSet coming;  ///< warps whose registers are being read back from memory
  /// By warp slot, for warps in `out` or `coming`: registers whose values are in memory.
  std::span<const RegisterSet> saved;
  std::span<const WarpView> warps;
};
struct SpillOrders {
  /// Warps to spill. Their registers must be in the register file. Each of these warps stops, and its
  /// registers are written to memory when none of its instructions is in flight.
  WarpSet out;
  WarpSet back;  ///< warps to restore from memory; they must be in SpillView::out
};

class SpillDecision {
 public:
  virtual SpillOrders order_spills(const SpillView& view) = 0;

 protected:
  ~SpillDecision() = default;
};

}  // namespace heddle
