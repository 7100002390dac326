#pragma once

// Which warps give up their registers while there are too few, and which get them back (Jeon 2015, 8.1): what is known, and
// what is ordered.

#include <span>

#include "models/core/register_set.h"
#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

/// Where the registers of an SM's warps are. Every warp that runs and is in none of the last three sets has its registers.
struct SpillView {
  WarpSet running;                     ///< resident, not exited
  WarpSet pending;                     ///< of these: wait at a barrier
  WarpSet quiet;                       ///< nothing of them is in flight, and they are not within a strand
  WarpSet going;                       ///< stopped until they are quiet, or being written out
  WarpSet out;                         ///< in memory
  WarpSet coming;                      ///< being read back
  std::span<const RegisterSet> saved;  ///< by warp slot, of those that are out or coming: what lies in memory
  std::span<const WarpView> warps;     ///< by warp slot of the SM: its age
};
struct SpillOrders {
  WarpSet out;   ///< warps that have their registers: stopped, and written out once they are quiet
  WarpSet back;  ///< warps that are out
};

/// Gives the orders.
class SpillDecision {
 public:
  virtual SpillOrders order_spills(const SpillView& view) = 0;

 protected:
  ~SpillDecision() = default;
};

}  // namespace heddle
