#pragma once

// Contract "lane plans": the lanes in which instructions execute follow a rule that changes over time. The
// issue stage shows the active warps in the cycles that next_change() names, before any warp issues.
// Constraints and issue call the planner; the pipelines have the logic that moves() describes. The class
// itself is the null object: each thread stays in its own lane, and nothing is shown.
//
// Kernels, warps and issued instructions arrive as life events (i_life_listener.h).

#include <span>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/core/warp_set.h"
#include "models/isa/lane_planner.h"
#include "models/ports/i_life_listener.h"

namespace heddle {

/// Logic in the INT and FP pipelines of a partition that moves threads between lanes.
struct LaneMoves {
  bool on = false;  ///< the pipelines have it, and count what it does
  bool pack = false, by_rank = false;
  int extra_cycles = 0;    ///< that it adds to every operation
  bool holds_port = true;  ///< an instruction keeps its dispatch port until its second pass starts
};

/// The warps of a partition at the end of the cycle before `now`.
struct LanePlansView {
  Cycle now = 0;
  std::size_t partition = 0;
  WarpSet active;                    ///< hold an active slot, and keep it
  std::span<const WarpSet> by_unit;  ///< with an instruction, by isa::UnitClass of it; of all partitions
};

class LanePlans : public LifeListener {
 public:
  virtual ~LanePlans() = default;

  /// Plans the lanes of an instruction; nullptr: each thread stays in its own.
  virtual LanePlanner* planner() { return nullptr; }
  virtual LaneMoves moves() const { return {}; }
  /// The next cycle in which plans may differ; kNever: none, whatever happens. All partitions are shown in it.
  Cycle next_change() const { return next_change_; }
  virtual void show(const LanePlansView&) {}
  /// Throws Error if plans may change so often that an instruction waits for ever, where it waits up to `longest_wait`
  /// cycles until all of its lanes take it (UnitAvailability::longest_wait).
  virtual void check(Cycle /*longest_wait*/) const {}

  /// Makes the counters exact up to, and not including, `cycle`.
  virtual void settle(Cycle) {}
  /// The probe points of a partition, if there are some.
  virtual void probes(std::size_t /*partition*/, const ProbeScope& /*of_partition*/) {}

 protected:
  Cycle next_change_ = kNever;
};

}  // namespace heddle
