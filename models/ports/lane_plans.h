#pragma once

// Interface of rules that assign threads to the execution lanes of INT and FP units, and change the
// assignment over time. The issue stage calls show() with the active warps in the cycles that next_change()
// returns, before any warp issues. Issue constraints and the issue stage get the lanes of an instruction from
// planner(). moves() describes the logic that the pipelines need to move threads between lanes.
//
// The class itself is the null object: each thread stays in its own lane, and show() is never called.
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
  bool on = false;  ///< true if the pipelines contain the logic and count its use
  bool pack = false, by_rank = false;
  int extra_cycles = 0;    ///< cycles that the logic adds to the latency of every operation
  bool holds_port = true;  ///< true if an instruction keeps its dispatch port until its second pass starts
};

/// Data that a rule for assigning threads to lanes receives: the warps of a partition, as they were at the
/// end of the cycle before `now`.
struct LanePlansView {
  Cycle now = 0;
  std::size_t partition = 0;
  WarpSet active;  ///< warps that hold an active slot of their scheduler and will not give it up
  /// Warps of all partitions, by the isa::UnitClass of their next instruction.
  std::span<const WarpSet> by_unit;
};

class LanePlans : public LifeListener {
 public:
  virtual ~LanePlans() = default;

  /// Returns the planner that assigns threads to lanes for each instruction. nullptr: each thread stays in
  /// its own lane.
  virtual LanePlanner* planner() { return nullptr; }
  virtual LaneMoves moves() const { return {}; }
  /// Returns the next cycle in which the assignment of threads to lanes may change. The issue stage then
  /// calls show() for all partitions. kNever: the assignment never changes.
  Cycle next_change() const { return next_change_; }
  virtual void show(const LanePlansView&) {}
  /// Throws Error if the assignment of threads to lanes may change so often that an instruction waits
  /// forever. `longest_wait`: cycles that an instruction may wait for all of its lanes
  /// (UnitAvailability::longest_wait).
  virtual void check(Cycle /*longest_wait*/) const {}

  /// Makes the counters exact for all cycles before `cycle`.
  virtual void settle(Cycle) {}
  /// Adds the probe points of a partition, if the rule for lanes has any.
  virtual void probes(std::size_t /*partition*/, const ProbeScope& /*of_partition*/) {}

 protected:
  Cycle next_change_ = kNever;
};

}  // namespace heddle
