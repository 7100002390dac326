#pragma once

// Contract "lane plans": a rule that assigns threads to the lanes in which they execute, and that changes
// over time. The issue stage calls show() with the active warps in the cycles that next_change() returns,
// before any warp issues. Constraints and issue use the planner. The pipelines have the logic that moves()
// describes. The class itself is the null object: each thread stays in its own lane, and show() is never
// called.
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
  bool on = false;  ///< the pipelines have the logic, and count its use
  bool pack = false, by_rank = false;
  int extra_cycles = 0;    ///< cycles that the logic adds to every operation
  bool holds_port = true;  ///< an instruction keeps its dispatch port until its second pass starts
};

/// The warps of a partition at the end of the cycle before `now`.
struct LanePlansView {
  Cycle now = 0;
  std::size_t partition = 0;
  WarpSet active;                    ///< warps that hold an active slot and do not leave it
  std::span<const WarpSet> by_unit;  ///< warps of all partitions by isa::UnitClass of their next instruction
};

class LanePlans : public LifeListener {
 public:
  virtual ~LanePlans() = default;

  /// Returns the planner that assigns lanes to instructions; nullptr: each thread stays in its own lane.
  virtual LanePlanner* planner() { return nullptr; }
  virtual LaneMoves moves() const { return {}; }
  /// Next cycle in which plans may differ. show() is then called for all partitions. kNever: plans never
  /// change.
  Cycle next_change() const { return next_change_; }
  virtual void show(const LanePlansView&) {}
  /// Throws Error if plans may change so often that an instruction waits for ever. `longest_wait`: cycles
  /// that an instruction may wait for all of its lanes (UnitAvailability::longest_wait).
  virtual void check(Cycle /*longest_wait*/) const {}

  /// Makes the counters exact up to `cycle`, which is excluded.
  virtual void settle(Cycle) {}
  /// Adds the probe points of a partition, if there are any.
  virtual void probes(std::size_t /*partition*/, const ProbeScope& /*of_partition*/) {}

 protected:
  Cycle next_change_ = kNever;
};

}  // namespace heddle
