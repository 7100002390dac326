#pragma once

// Family "issue constraint": what an instruction has to pass before it may issue. Plain C++: a view in, the
// set of blocked warps out. Constraints are asked in the order of the configuration; the first that blocks a
// warp gives the reason under which an idle issue slot is counted.

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
  /// Of the scheduler's partition; of each set, more than it can fill in a cycle are not told.
  isa::FreeCollectors free_collectors;
  bool all_take = true;  ///< every unit class has a unit that takes any instruction
  UnitViews units{};
  /// By warp slot: lanes that a candidate's instruction needs that nothing asked before holds back. Set for classes
  /// whose units take instructions by lanes (UnitView::lanes).
  std::span<const LaneMask> lanes;
  std::span<const WarpView> warps;  ///< by warp slot of the SM: its CTA, its age
  /// By warp slot: the instruction in that place, for candidates.
  std::span<const isa::Instruction* const> instructions;
  const ResourceView* resources = nullptr;  ///< as of this moment; only for constraints that look at budgets
};

/// What a constraint has to know beside what it hears of (LifeListener); asked once. What none needs costs nothing.
struct ConstraintNeeds {
  bool issues = false;    ///< to be asked again after each issue of a cycle
  bool budgets = false;   ///< ConstraintView::resources
  bool changes = false;   ///< it hears of what changes its answers, and changes() tells when
  bool time = false;      ///< answers may differ by time alone: next_change() says when
  bool holdings = false;  ///< what warps hold of the registers; else only pools and capacities are kept
};

/// What makes a constraint block somebody: without it nobody is blocked, and the constraint is not asked.
enum class Obstacle : std::uint8_t {
  anything,
  hazard,        ///< it blocks ConstraintView::hazard, whatever else the view says, and is never asked
  no_collector,  ///< of some set no more collectors are free than `slot`
  no_unit,       ///< not ConstraintView::all_take
};

/// One object serves all schedulers of an SM. What it hears of may change what it blocks from then on, within the cycle
/// too: the schedulers of a cycle ask one after the other.
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

  /// Candidates that may not issue in this cycle. With needs().issues it is asked again, for one warp, if
  /// something was issued in the cycle between the first answer and the warp's turn. Of a constraint that
  /// hears of nothing and needs nothing the answer depends on the view alone, `now` aside.
  virtual WarpSet blocked(const ConstraintView& view) = 0;
  /// Asked once.
  virtual Obstacle obstacle() const { return Obstacle::anything; }
  /// Under which of the SM's own reasons an idle slot is counted.
  virtual StallReason reason() const { return StallReason::structural; }
  /// A reason of the constraint's own (kebab-case) in the place of reason(): counted as idle_<own_reason>.
  virtual const char* own_reason() const { return nullptr; }
  /// Whether blocked warps wait for something lasting: a two-level scheduler then gives their active slot to
  /// another warp, but for warps that their strand binds. The set must not change without an issue, a
  /// completion or an event that the constraint hears of.
  virtual bool lasting() const { return false; }
  virtual ConstraintNeeds needs() const { return {}; }

  /// With needs().time: the first cycle after `now` in which the answer to a view that is the same may be another one. The
  /// SM wakes for it, and asks again.
  virtual Cycle next_change(Cycle /*now*/) const { return kNever; }

  /// With needs().changes: grows whenever the answer to a view that is the same, `now` aside, may be another one; a scheduler
  /// that picked nothing then need not ask again before. Changes of the present cycle are included; `now`: as in the view.
  /// One that hears of nothing and needs nothing else has none.
  virtual std::uint64_t changes(Cycle /*now*/) { return 0; }

  /// Tells the points at which its decisions can be looked at (models/core/probe.h), if it has any.
  virtual void probes(const ProbeScope&) {}

  /// Holds warps of the SM (models/ports/residency.h); nullptr: it holds none. Asked once; the first of the list serves.
  virtual WarpResidency* residency() { return nullptr; }

  /// The SM is put together, before probes() and the first cycle: who knows what is claimed of each
  /// partition's registers (RegisterBudget::claims).
  virtual void assembled(std::span<const RegisterClaims* const> /*by_partition*/) {}
};

}  // namespace heddle
