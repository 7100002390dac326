#pragma once

// Interface between the issue constraint that decides on register spills and the class that moves the
// registers (Jeon 2015, 8.1).

#include <span>

#include "models/core/register_set.h"
#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

/// Sets of an SM's warps, for decisions about spills. The registers of warps in `going`, `out` or `coming`
/// are in memory or being moved. The registers of all other warps are in the register file.
struct SpillView {
  WarpSet running;
  WarpSet pending;
  /// running warps that have no instruction in flight and would lose no value if descheduled
  WarpSet quiet;
  WarpSet going;   ///< warps that have been stopped, or whose registers are being written to memory
  WarpSet out;     ///< warps whose registers are in memory
  WarpSet coming;  ///< warps whose registers are being read back from memory
  /// For each warp slot of a warp in `out` or `coming`: the registers whose values are in memory.
  std::span<const RegisterSet> saved;
  std::span<const WarpView> warps;
};
struct SpillOrders {
  WarpSet out;
  WarpSet back;  ///< warps whose registers must be read back; all are in SpillView::out
};

class SpillDecision {
 public:
  virtual SpillOrders order_spills(const SpillView& view) = 0;

 protected:
  ~SpillDecision() = default;
};

}  // namespace heddle
