#pragma once

// Family "issue constraint": what an instruction has to pass before it may issue. Plain C++: a view in, the
// set of blocked warps out. Constraints are asked in the order of the configuration; the first that blocks a
// warp gives the reason under which an idle issue slot is counted.

#include <array>

#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

/// Why an issue slot stayed idle: exactly one reason a slot, the first that matches in this order.
enum class StallReason : std::uint8_t {
  no_warp,     ///< the scheduler has no resident warp
  no_pair,     ///< the first slot issued, but nothing could issue beside it
  inactive,    ///< a warp is ready, but the policy holds it back (no active slot, another group)
  gated,       ///< a warp could issue, but every unit of its class is gated or waking up
  structural,  ///< a warp is held back by another constraint than the scoreboard: no free collector
  dependence,  ///< a warp waits for a short-latency result, a pending read, or its memory accesses before a
               ///< barrier
  memory,      ///< a warp waits for a long-latency result
  fetch,       ///< a warp has no decoded instruction
  barrier,     ///< all that is left waits at barriers
  fence,       ///< all that is left waits for fences
  count_
};
const char* name_of(StallReason reason);

struct ConstraintView {
  Cycle now = 0;
  int slot = 0;                      ///< 0: head instructions, 1: the instructions after them
  WarpSet candidates = 0;            ///< warps that have an instruction in that place
  std::array<WarpSet, 5> by_unit{};  ///< candidates by isa::UnitClass
  WarpSet hazard = 0;                ///< candidates with a RAW, WAW or pending-read hazard in the scoreboard
  int free_collectors = 0;           ///< of the scheduler's partition
  std::array<UnitPower, 5> units{};  ///< power domains by isa::UnitClass
  /// By warp slot: lanes that a candidate's instruction needs. Set for classes whose units are gated in parts.
  std::span<const LaneMask> lanes;
};

class IssueConstraint {
 public:
  struct Context {
    int warps = 48;
  };
  static constexpr const char* kFamily = "issue constraint";
  static constexpr const char* kPlace = "gpu.sm.constraints";
  virtual ~IssueConstraint() = default;

  /// Candidates that may not issue in this cycle.
  virtual WarpSet blocked(const ConstraintView& view) = 0;
  virtual StallReason reason() const { return StallReason::structural; }
};

}  // namespace heddle
