#pragma once

// Family "issue constraint": a condition that an instruction has to pass before it may issue. Plain C++: a
// view in, the set of blocked warps out. Constraints are called in the order of the configuration; the first
// that blocks a warp gives the reason under which an idle issue slot is counted.

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
  int slot = 0;                      ///< 0: head instructions, 1: the instructions after them
  WarpSet candidates = 0;            ///< warps that have an instruction in that place
  std::array<WarpSet, 5> by_unit{};  ///< candidates by isa::UnitClass; other schedulers' may be among them
  WarpSet hazard = 0;                ///< candidates with a RAW, WAW or pending-read hazard in the scoreboard
  /// Warps between instructions that pass values through their strand's entries: they keep their active slot.
  /// A lasting constraint that stops one lets it hold that slot without use.
  WarpSet bound = 0;
  /// Free places of the scheduler's partition; each number is capped at the scheduler's use in a cycle.
  isa::FreeCollectors free_collectors;
  bool all_take = true;  ///< every unit class has a unit that takes any instruction
  UnitViews units{};
  /// By warp slot: lanes that a candidate's instruction needs, if no earlier constraint blocks it. Set for
  /// classes whose units accept instructions by lanes (UnitView::lanes).
  std::span<const LaneMask> lanes;
  std::span<const WarpView> warps;  ///< by warp slot of the SM: its CTA, its age
  /// By warp slot: the instruction in that place, for candidates.
  std::span<const isa::Instruction* const> instructions;
  const ResourceView* resources = nullptr;  ///< as of this moment; only for constraints that look at budgets
};

/// Inputs of a constraint besides its subscriptions (LifeListener); called once. Unused inputs cost nothing.
struct ConstraintNeeds {
  bool issues = false;    ///< it must be called again after each issue of a cycle
  bool budgets = false;   ///< ConstraintView::resources
  bool changes = false;   ///< it subscribes to the events that change its answers, and changes() counts them
  bool time = false;      ///< answers may differ by time alone: next_change() says when
  bool holdings = false;  ///< what warps hold of the registers; else only pools and capacities are kept
};

/// Condition for blocking any warp: without it no warp is blocked, and the constraint is not called.
enum class Obstacle : std::uint8_t {
  anything,
  hazard,        ///< it blocks ConstraintView::hazard, whatever else the view holds, and is never called
  no_collector,  ///< of some set no more collectors are free than `slot`
  no_unit,       ///< not ConstraintView::all_take
};

/// One object serves all schedulers of an SM. Events may change its answers at once, also within the cycle:
/// the schedulers of a cycle call it one after the other.
class IssueConstraint : public LifeListener {
 public:
  struct Context {
    int warps = 48;
    int ctas = 8;  ///< CTA slots
    int schedulers = 1;
    int partitions = 1;
    WarpHost* host = nullptr;           ///< of residency(); nullptr: no warp can be held
    const StatsScope* stats = nullptr;  ///< of the issue stage; nullptr where `host` is
  };
  static constexpr const char* kFamily = "issue constraint";
  static constexpr const char* kPlace = "gpu.sm.constraints";
  virtual ~IssueConstraint() = default;

  /// Candidates that may not issue in this cycle. With needs().issues it is called again, for one warp, if an
  /// instruction was issued in the cycle between the first answer and the warp's turn. For a constraint
  /// without subscriptions and needs the answer depends on the view alone, except `now`.
  virtual WarpSet blocked(const ConstraintView& view) = 0;
  /// Called once.
  virtual Obstacle obstacle() const { return Obstacle::anything; }
  /// Under which of the SM's own reasons an idle slot is counted.
  virtual StallReason reason() const { return StallReason::structural; }
  /// A reason of the constraint's own (kebab-case) in the place of reason(): counted as idle_<own_reason>.
  virtual const char* own_reason() const { return nullptr; }
  /// True if blocked warps have a lasting wait: a two-level scheduler then gives their active slot to another
  /// warp, except for warps that their strand binds. The set must not change without an issue, a completion
  /// or an event of a subscription.
  virtual bool lasting() const { return false; }
  virtual ConstraintNeeds needs() const { return {}; }

  /// With needs().time: the first cycle after `now` in which the answer to an equal view may differ. The SM
  /// wakes for it, and calls again.
  virtual Cycle next_change(Cycle /*now*/) const { return kNever; }

  /// With needs().changes: increases whenever the answer to an equal view, except `now`, may differ; a
  /// scheduler that picked nothing need not call again before that. Includes changes of the current cycle;
  /// `now`: as in the view. A constraint without subscriptions and needs has none.
  virtual std::uint64_t changes(Cycle /*now*/) { return 0; }

  /// Lists the points at which its decisions can be observed (models/core/probe.h), if it has any.
  virtual void probes(const ProbeScope&) {}

  /// Holds warps of the SM (models/ports/residency.h); nullptr: it holds none. Called once; the first of the
  /// list is used.
  virtual WarpResidency* residency() { return nullptr; }

  /// The SM is put together, before probes() and the first cycle: who knows what is claimed of each
  /// partition's registers (RegisterBudget::claims).
  virtual void assembled(std::span<const RegisterClaims* const> /*by_partition*/) {}
};

}  // namespace heddle
