#pragma once

// Family "issue constraint": a condition that an instruction must meet before it may issue, for example a
// free operand collector. A constraint receives a view of the SM and returns the set of warps that may not
// issue. If an issue slot stays idle, the first constraint that blocks a warp gives the stall reason. The
// configuration sets the order of the constraints.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/isa/collector_kind.h"
#include "models/isa/instruction.h"
#include "models/isa/latency_table.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/residency.h"
#include "models/ports/resource_view.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "models/scheduler/stall_reason.h"

namespace heddle {

struct ConstraintView {
  Cycle now = 0;
  int scheduler = 0, partition = 0;
  /// Position of the candidate's instruction in its warp's buffer; 0: the next instruction, 1: the
  /// instruction after it.
  int slot = 0;
  /// Candidates: warps with an instruction at position `slot` of their buffer. The constraint decides which
  /// candidates may issue.
  WarpSet candidates = 0;
  /// For each isa::UnitClass: the candidates whose instruction uses this unit class. These sets may also
  /// contain warps of other schedulers.
  std::array<WarpSet, kUnitClasses> by_unit{};
  /// Candidates whose instruction has a RAW, WAW or pending-read hazard in the scoreboard.
  WarpSet hazard = 0;
  /// Warps that must keep their active slot even if a constraint with a lasting wait blocks them. Without the
  /// slot, they would lose a value that a later instruction reads (Gebhart 2012, 4.2).
  WarpSet bound = 0;
  /// Free operand collectors of the scheduler's partition, at most as many as the scheduler can fill in a
  /// cycle.
  isa::FreeCollectors free_collectors;
  /// True if each unit class has a unit that accepts instructions in this cycle, and no unit accepts them
  /// with only some of its lanes.
  bool all_take = true;
  UnitViews units{};
  /// For each warp slot: the lanes that the candidate's instruction needs. Set only if single lanes of a unit
  /// can be gated.
  std::span<const LaneMask> lanes;
  std::span<const WarpView> warps;
  std::span<const isa::Instruction* const> instructions;
  /// Free registers. Set only for constraints that require ConstraintNeeds::budgets.
  const ResourceView* resources = nullptr;
};

/// Services that an issue constraint requires from the SM, read once at construction. Services that no
/// constraint requires cost no host time.
struct ConstraintNeeds {
  bool issues = false;  ///< True if the SM must call blocked() again after each issue in the same cycle.
  bool budgets = false;
  /// True if the result of blocked() depends only on its ConstraintView and on the result of changes(). While
  /// both stay the same, the SM may skip the call of blocked().
  bool changes = false;
  /// True if the set of blocked warps can change with time alone. If true, the SM calls blocked() again in
  /// the cycle that next_change() returns.
  bool time = false;
  /// True if the SM must record the registers that each warp holds. If not, the SM records only free entries
  /// and capacities.
  bool holdings = false;
};

/// Necessary condition: an issue constraint can block a warp only while this condition holds. Otherwise the
/// SM does not call the constraint.
enum class Obstacle : std::uint8_t {
  anything,
  hazard,  ///< The constraint blocks exactly the warps in ConstraintView::hazard, so the SM never calls it.
  no_collector,  ///< The constraint can block only if a collector set has at most `slot` free collectors.
  /// The constraint can block only if ConstraintView::all_take is false: the units of some class accept no
  /// instruction, or not with all their lanes.
  unit_unavailable,
};

/// Base class of issue constraints. One object serves all schedulers of an SM. The set of blocked warps may
/// change between two calls of the same cycle.
class IssueConstraint : public LifeListener {
 public:
  struct Context {
    int warps = 48;
    int ctas = 8;
    int schedulers = 1;
    int partitions = 1;
    WarpHost* host = nullptr;
    const StatsScope* stats = nullptr;
    /// `latencies`: latencies of the SM's operations. `interval_cycles`: cycles for which each operation
    /// occupies the input of its execution unit.
    const isa::LatencyTable* latencies = nullptr;
    std::array<int, static_cast<std::size_t>(isa::OpClass::count_)> interval_cycles{};
    int issue_width = 1;
  };
  static constexpr const char* kFamily = "issue constraint";
  static constexpr const char* kPlace = "gpu.sm.constraints";
  virtual ~IssueConstraint() = default;

  /// Returns the candidates that may not issue in this cycle. If a constraint has no subscriptions and no
  /// needs(), this set must depend only on the view, and not on its member `now`: the SM may skip the call
  /// while the other members stay the same.
  virtual WarpSet blocked(const ConstraintView& view) = 0;
  virtual Obstacle obstacle() const { return Obstacle::anything; }
  /// Returns the stall reason under which an idle issue slot is counted if this constraint blocks a warp.
  virtual StallReason reason() const { return StallReason::structural; }
  /// Returns the name of a stall reason that only this constraint uses, in kebab-case, or nullptr. A name
  /// replaces the result of reason(). Idle slots are then counted as idle_<name>.
  virtual const char* own_reason() const { return nullptr; }
  /// True if warps that this constraint blocks wait for a long time. A two-level scheduler then gives the
  /// active slots of these warps away, but not the slots of warps in ConstraintView::bound. If true, the set
  /// of blocked warps may change only at an issue, at a completion, or at an event to which the constraint
  /// subscribes.
  virtual bool lasting() const { return false; }
  virtual ConstraintNeeds needs() const { return {}; }

  /// Returns the first cycle after `now` in which the set of blocked warps may change although the view stays
  /// the same. Called only with ConstraintNeeds::time.
  virtual Cycle next_change(Cycle /*now*/) const { return kNever; }

  /// Returns a number that grows whenever blocked() may return another set for the same view, also within the
  /// current cycle. Called only with ConstraintNeeds::changes.
  virtual std::uint64_t changes(Cycle /*now*/) { return 0; }

  virtual void probes(const ProbeScope&) {}

  /// Returns the object that moves the registers of warps out of the SM and back, or nullptr.
  virtual WarpResidency* residency() { return nullptr; }

  /// Called once, when the SM is complete, before the first cycle. `by_partition`: register claims of each
  /// partition. The constraint may read these claims from then on.
  virtual void assembled(std::span<const RegisterClaims* const> /*by_partition*/) {}
};

}  // namespace heddle
