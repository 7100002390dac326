#pragma once

// Family "issue constraint": a condition that an instruction must meet before it may issue. A constraint is
// plain C++: it receives a view of the SM and returns the set of blocked warps. The SM calls constraints in
// the order of the configuration. If an issue slot stays idle, the first constraint that blocks a warp gives
// the reason that is counted.

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
  int slot = 0;            ///< 0: the head instructions of the warps, 1: the instructions after them
  WarpSet candidates = 0;  ///< warps with an instruction in this position of the instruction buffer
  std::array<WarpSet, 5> by_unit{};  ///< candidates by isa::UnitClass; may include warps of other schedulers
  WarpSet hazard = 0;                ///< candidates with a RAW, WAW or pending-read hazard in the scoreboard
  /// Warps between two instructions of a strand that pass a value through a register entry of this strand. A
  /// strand is the instructions between two points at which a warp may be descheduled, so these warps keep
  /// their active slot. If a lasting constraint blocks such a warp, the warp occupies its slot without
  /// issuing.
  WarpSet bound = 0;
  /// Free collectors of the scheduler's partition. Each number is capped at the most that the scheduler can
  /// use in a cycle.
  isa::FreeCollectors free_collectors;
  bool all_take = true;  ///< every unit class has a unit that accepts any instruction
  UnitViews units{};
  /// By warp slot: lanes that a candidate's instruction needs. Set only for candidates that no earlier
  /// constraint blocks, and for classes whose units accept instructions by lanes (UnitView::lanes).
  std::span<const LaneMask> lanes;
  std::span<const WarpView> warps;  ///< by warp slot of the SM: CTA, age, next instruction's class
  /// By warp slot: the candidate's instruction in this position.
  std::span<const isa::Instruction* const> instructions;
  /// State at the moment of the call; set only with ConstraintNeeds::budgets.
  const ResourceView* resources = nullptr;
};

/// Services that a constraint requires from the SM, besides the events that it subscribes to (LifeListener).
/// The SM reads this once, at construction. A service that no constraint requires costs no time.
struct ConstraintNeeds {
  bool issues = false;   ///< call blocked() again after each issue of the same cycle
  bool budgets = false;  ///< set ConstraintView::resources
  /// Skip blocked() while changes() returns the same number. The constraint counts the events that change its
  /// answers.
  bool changes = false;
  /// Call blocked() again in the cycle next_change(), because time alone can change the answer.
  bool time = false;
  /// Maintain the registers that each warp holds; otherwise only pools and capacities are maintained.
  bool holdings = false;
};

/// Condition without which a constraint blocks no warp. The SM does not call the constraint while the
/// condition is false.
enum class Obstacle : std::uint8_t {
  anything,
  hazard,            ///< the constraint blocks exactly ConstraintView::hazard; the SM never calls it
  no_collector,      ///< a collector set has at most `slot` free collectors
  unit_unavailable,  ///< ConstraintView::all_take is false
};

/// One object serves all schedulers of an SM. The schedulers call it one after the other, and an event may
/// change its answers within the cycle.
class IssueConstraint : public LifeListener {
 public:
  struct Context {
    int warps = 48;
    int ctas = 8;  ///< CTA slots
    int schedulers = 1;
    int partitions = 1;
    /// Host of the spilled warps that residency() moves; nullptr: no warp can be moved.
    WarpHost* host = nullptr;
    const StatsScope* stats = nullptr;  ///< scope of the issue stage; nullptr if `host` is
  };
  static constexpr const char* kFamily = "issue constraint";
  static constexpr const char* kPlace = "gpu.sm.constraints";
  virtual ~IssueConstraint() = default;

  /// Returns the candidates that may not issue in this cycle. With needs().issues, the SM calls it again for
  /// one warp if an instruction issued between the first answer and the warp's turn in the same cycle.
  /// Without subscriptions and needs, the answer must depend on the view alone, and not on `now`.
  virtual WarpSet blocked(const ConstraintView& view) = 0;
  /// Called once, at construction.
  virtual Obstacle obstacle() const { return Obstacle::anything; }
  /// The SM's stall reason under which an idle slot is counted.
  virtual StallReason reason() const { return StallReason::structural; }
  /// A stall reason of the constraint's own (kebab-case), which replaces reason(). Slots are counted as
  /// idle_<own_reason>.
  virtual const char* own_reason() const { return nullptr; }
  /// True if blocked warps have a lasting wait. A two-level scheduler then gives their active slot to another
  /// warp, except for the warps in ConstraintView::bound. The blocked set may change only by an issue, a
  /// completion or an event of a subscription.
  virtual bool lasting() const { return false; }
  virtual ConstraintNeeds needs() const { return {}; }

  /// With needs().time: the first cycle after `now` in which the answer to the same view may differ. The SM
  /// wakes and calls blocked() in this cycle.
  virtual Cycle next_change(Cycle /*now*/) const { return kNever; }

  /// With needs().changes: a number that increases whenever the answer to the same view may differ, `now`
  /// excepted. Includes changes of the current cycle `now`. A scheduler without a pick need not call
  /// blocked() again before the number increases. Not called without subscriptions and needs.
  virtual std::uint64_t changes(Cycle /*now*/) { return 0; }

  /// Adds the points at which decisions can be observed (models/core/probe.h), if the constraint has any.
  virtual void probes(const ProbeScope&) {}

  /// The object that moves warps' registers out of the SM (models/ports/residency.h), or nullptr. Called
  /// once. The SM uses the first such object among its constraints.
  virtual WarpResidency* residency() { return nullptr; }

  /// Called once when the SM is complete, before probes() and the first cycle. `by_partition` holds the
  /// claims on each partition's registers (RegisterBudget::claims).
  virtual void assembled(std::span<const RegisterClaims* const> /*by_partition*/) {}
};

}  // namespace heddle
