#pragma once

// Interface of rules that assign threads to the execution lanes of INT and FP units, and change the
// assignment over time. In the cycles that next_change() returns, the issue stage calls show() with the
// active warps, before any warp issues.
//
// The class LanePlans itself is the default: each thread stays in its own lane, and show() is never called.

#include <span>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/core/warp_set.h"
#include "models/isa/lane_planner.h"
#include "models/ports/i_life_listener.h"

namespace heddle {

struct LaneMoves {
  bool on = false;
  bool pack = false, by_rank = false;
  int extra_cycles = 0;
  bool holds_port = true;  ///< true if an instruction keeps its dispatch port until its second pass starts
};

/// Warps of a partition at the end of the previous cycle, as input of a rule that assigns threads to lanes.
struct LanePlansView {
  Cycle now = 0;
  std::size_t partition = 0;
  WarpSet active;  ///< warps that hold an active slot of their scheduler and are not giving it up
  std::span<const WarpSet> by_unit;
};

class LanePlans : public LifeListener {
 public:
  virtual ~LanePlans() = default;

  /// Returns the planner that assigns threads to lanes for each instruction. nullptr: each thread stays in
  /// its own lane.
  virtual LanePlanner* planner() { return nullptr; }
  virtual LaneMoves moves() const { return {}; }
  /// Returns the next cycle in which the assignment of threads to lanes may change, or kNever. In this cycle,
  /// show() is called for all partitions.
  Cycle next_change() const { return next_change_; }
  virtual void show(const LanePlansView&) {}
  /// Throws Error if the assignment of threads to lanes may change while an instruction waits for its lanes,
  /// because this instruction could then wait forever. `longest_wait`: most cycles for which an instruction
  /// waits until the lanes that it needs are on.
  virtual void check(Cycle /*longest_wait*/) const {}

  virtual void settle(Cycle) {}
  virtual void probes(std::size_t /*partition*/, const ProbeScope& /*of_partition*/) {}

 protected:
  Cycle next_change_ = kNever;
};

}  // namespace heddle
