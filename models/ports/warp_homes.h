#pragma once

// Computes the scheduler and the partition to which a warp of an SM belongs.

#include "models/core/ids.h"

namespace heddle {

/// Distributes warps round-robin over the schedulers of the SM, and schedulers over the partitions.
struct WarpHomes {
  std::uint32_t schedulers = 1;
  std::uint32_t partitions = 1;

  std::uint32_t scheduler(WarpId warp) const { return warp.value % schedulers; }
  std::uint32_t partition(SchedulerId scheduler) const { return scheduler.value % partitions; }
  std::uint32_t partition(WarpId warp) const { return partition(SchedulerId(scheduler(warp))); }
  std::uint32_t scheduler_of_partition(WarpId warp) const { return scheduler(warp) / partitions; }
};

}  // namespace heddle
