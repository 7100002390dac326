#pragma once

// Which scheduler and which partition of an SM a warp belongs to.

#include "models/core/ids.h"

namespace heddle {

/// Warps go round the schedulers of the SM, schedulers round its partitions.
struct WarpHomes {
  std::uint32_t schedulers = 1;  ///< of the SM
  std::uint32_t partitions = 1;

  std::uint32_t scheduler(WarpId warp) const { return warp.value % schedulers; }
  std::uint32_t partition(SchedulerId scheduler) const { return scheduler.value % partitions; }
  std::uint32_t partition(WarpId warp) const { return partition(SchedulerId(scheduler(warp))); }
  /// Warps of its partition's schedulers.
  std::uint32_t scheduler_of_partition(WarpId warp) const { return scheduler(warp) / partitions; }
};

}  // namespace heddle
