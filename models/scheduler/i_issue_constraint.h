#pragma once

// Family "issue constraint": a condition that an instruction must meet before it may issue, for example a
// free operand collector. A constraint is plain C++: it receives a view of the SM and returns the set of
// warps that may not issue. The SM calls the constraints in the order of the configuration. If an issue slot
// stays idle, the first constraint that blocks a warp gives the stall reason under which the slot is counted.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/isa/collector_kind.h"
#include "models/isa/instruction.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/residency.h"
#include "models/ports/resource_view.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "models/scheduler/stall_reason.h"

namespace heddle {

struct ConstraintView {
  Cycle now = 0;
  int scheduler = 0, partition = 0;
  /// Position in the instruction buffers to which the call applies; 0: each warp's next instruction, 1: the
  /// instruction after it.
  int slot = 0;
  /// Warps that have a decoded instruction at position `slot` of their instruction buffer.
  WarpSet candidates = 0;
  /// Candidates whose instruction executes on units of this isa::UnitClass; may include warps of other
  /// schedulers.
  std::array<WarpSet, 5> by_unit{};
  /// Candidates whose instruction has a RAW, WAW or pending-read hazard in the scoreboard.
  WarpSet hazard = 0;
  /// Warps that must not lose their active slot, because a later instruction reads a value from an entry that
  /// lives only within the current strand. A strand is the sequence of instructions between two points at
  /// which a warp may be descheduled (Gebhart 2012, 4.2). If a constraint with a lasting wait blocks such a
  /// warp, the warp keeps its active slot without issuing.
  WarpSet bound = 0;
  /// Free operand collectors of the scheduler's partition, limited to the number of collectors that the
  /// scheduler can use in a cycle.
  isa::FreeCollectors free_collectors;
  /// True if each unit class has a unit that accepts any instruction, whatever lanes it needs.
  bool all_take = true;
  UnitViews units{};
  /// Lanes that each candidate's instruction needs, by warp slot. The SM sets them only for candidates that
  /// no earlier constraint blocks, and for unit classes whose units can gate single lanes (UnitView::lanes).
  std::span<const LaneMask> lanes;
  /// CTA, age and class of the next instruction of each warp, by warp slot of the SM.
  std::span<const WarpView> warps;
  /// By warp slot: the candidate's instruction at position `slot` of its instruction buffer.
  std::span<const isa::Instruction* const> instructions;
  /// Free registers and other budgets at the moment of the call. The SM sets the pointer only for constraints
  /// that require ConstraintNeeds::budgets.
  const ResourceView* resources = nullptr;
};

/// Services that an issue constraint requires from the SM, besides the events that it subscribes to
/// (LifeListener). The SM reads this structure once, at construction. A service that no constraint requires
/// costs no host time.
struct ConstraintNeeds {
  bool issues = false;   ///< True if the SM must call blocked() again after each issue in the same cycle.
  bool budgets = false;  ///< true if the SM must set ConstraintView::resources
  /// True if the SM may skip blocked() while changes() returns the same number. The constraint must count the
  /// events after which blocked() may return another set.
  bool changes = false;
  /// True if the set of blocked warps can change by the passing of time alone. The SM then calls blocked()
  /// again in the cycle that next_change() returns.
  bool time = false;
  /// True if the SM must maintain the registers that each warp holds. Otherwise it maintains only the free
  /// entries of pools and the capacities.
  bool holdings = false;
};

/// Condition without which an issue constraint blocks no warp. While the condition is false, the SM does not
/// call the constraint.
enum class Obstacle : std::uint8_t {
  anything,
  hazard,  ///< The constraint blocks exactly the warps in ConstraintView::hazard, so the SM never calls it.
  no_collector,  ///< At least one collector set has at most `slot` free collectors.
  /// At least one unit class has no unit that accepts any instruction (ConstraintView::all_take is false).
  unit_unavailable,
};

/// Base class of issue constraints. One object serves all schedulers of an SM. The schedulers call it one
/// after the other, and the set of blocked warps may change between two calls of the same cycle.
class IssueConstraint : public LifeListener {
 public:
  struct Context {
    int warps = 48;
    int ctas = 8;  ///< number of CTA slots of the SM
    int schedulers = 1;
    int partitions = 1;
    /// Interface of the SM for moving the registers of warps to memory. nullptr: no warp can be moved.
    WarpHost* host = nullptr;
    const StatsScope* stats = nullptr;  ///< scope of the issue stage's counters; nullptr if `host` is nullptr
  };
  static constexpr const char* kFamily = "issue constraint";
  static constexpr const char* kPlace = "gpu.sm.constraints";
  virtual ~IssueConstraint() = default;

  /// Returns the candidates that may not issue in this cycle. With ConstraintNeeds::issues, the SM calls the
  /// function again for a single warp if another instruction has issued in the same cycle since the first
  /// call. A constraint without subscriptions and needs must compute the set from the view alone, and must
  /// not use `now`.
  virtual WarpSet blocked(const ConstraintView& view) = 0;
  /// Returns the condition without which this constraint blocks no warp. The SM calls the function once, at
  /// construction.
  virtual Obstacle obstacle() const { return Obstacle::anything; }
  /// Returns the SM's stall reason under which an idle issue slot is counted if this constraint blocks a
  /// warp.
  virtual StallReason reason() const { return StallReason::structural; }
  /// Returns the name of a stall reason that only this constraint uses (kebab-case), or nullptr. The name
  /// replaces reason(), and idle slots are counted as idle_<name>.
  virtual const char* own_reason() const { return nullptr; }
  /// True if a warp that this constraint blocks waits for a long time. A two-level scheduler then gives the
  /// active slot of the warp to another warp, except for warps in ConstraintView::bound. The blocked set of
  /// such a constraint may change only by an issue, a completion or an event of a subscription.
  virtual bool lasting() const { return false; }
  virtual ConstraintNeeds needs() const { return {}; }

  /// For constraints with ConstraintNeeds::time: returns the first cycle after `now` in which the set of
  /// blocked warps may differ although the view is unchanged. The SM wakes in this cycle and calls blocked().
  virtual Cycle next_change(Cycle /*now*/) const { return kNever; }

  /// For constraints with ConstraintNeeds::changes: returns a number that grows whenever blocked() may return
  /// another set for the same view, apart from the effect of `now`. Changes within the current cycle are
  /// included. A scheduler that picked no warp need not call blocked() again before the number grows. The SM
  /// does not call the function for constraints without subscriptions and needs.
  virtual std::uint64_t changes(Cycle /*now*/) { return 0; }

  /// Adds the probe points at which the constraint's decisions can be observed (models/core/probe.h), if it
  /// has any.
  virtual void probes(const ProbeScope&) {}

  /// Returns the object that moves the registers of warps out of the SM and back (models/ports/residency.h),
  /// or nullptr if the constraint has none. The SM uses the first such object among its constraints.
  virtual WarpResidency* residency() { return nullptr; }

  /// The SM calls this function once when it is complete, before probes() and before the first cycle.
  /// `by_partition` holds the allocator's claims on the registers of each partition (RegisterBudget::claims).
  virtual void assembled(std::span<const RegisterClaims* const> /*by_partition*/) {}
};

}  // namespace heddle
