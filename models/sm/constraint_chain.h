#pragma once

// The issue constraints of an SM in the order of the configuration, and their combined result. An issue
// constraint decides which warps may not issue in a cycle, for example because of hazards.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/ports/life_channel.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class ConstraintChain {
 public:
  ConstraintChain(const std::vector<ConfigNode>& choices, IssueConstraint::Context context);

  /// The candidate warps that may not issue, and the reasons.
  struct Blocked {
    WarpSet all = 0;
    WarpSet structural = 0;        ///< warps whose first obstacle is counted with the reason "structural"
    WarpSet unit_unavailable = 0;  ///< warps whose only obstacle is that no unit accepts their instruction
    WarpSet lasting = 0;  ///< warps blocked by a constraint that a two-level scheduler treats as a long wait
    /// Number of a stall reason that a constraint defines itself. The number is set if such a constraint is
    /// the first obstacle of some warp. If there are several such constraints, the first one in the chain
    /// decides. 0: none.
    std::size_t own = 0;
  };
  /// Starts a query. If the first constraint blocks exactly the warps with hazards, blocks these warps
  /// without a call.
  void begin(const ConstraintView& view, Blocked& blocked) const {
    blocked = {};
    if (begins_with_hazards_) blocked.all = view.hazard;
  }
  /// Returns the constraints that must be called, one bit each. These are the constraints that may block a
  /// warp because of the hazards, collectors or units in the view. If the result is 0, the caller need not
  /// compute the other members of the view.
  std::uint64_t asked_for(const ConstraintView& view) const {
    std::uint64_t asked = always_;
    if (view.hazard) asked |= by_hazards_;
    if (view.free_collectors.fewest() <= view.slot) asked |= by_collectors_;
    if (!view.all_take) asked |= by_units_;
    return asked;
  }
  /// Calls the constraints in `links` (one bit each) and adds the warps that they block, with reasons, to
  /// `blocked`.
  void query(std::uint64_t links, ConstraintView& view, Blocked& blocked) const;
  /// Returns true if the only candidate of the view still passes the constraints that follow the issues
  /// within a cycle (needs().issues).
  bool still_passes(const ConstraintView& view) const;

  /// Names of the stall reasons, indexed by reason number (stall_reason_names).
  const std::vector<std::string>& reasons() const { return reasons_; }
  /// Union of the needs of all constraints.
  const ConstraintNeeds& needs() const { return needs_; }
  /// Returns the object that decides which warps may claim registers and which are switched out
  /// (WarpResidency). It belongs to the first constraint that has one. If no constraint has one, the returned
  /// object switches out no warp.
  WarpResidency& residency() { return *residency_; }
  /// Updates the chain after residency() has changed its set of held warps.
  void renew_held();
  /// Returns the first cycle after `now` in which time alone may change a constraint's answer.
  Cycle next_change(Cycle now) const {
    Cycle next = kNever;
    for (const IssueConstraint* constraint : timed_) next = std::min(next, constraint->next_change(now));
    return next;
  }
  /// Returns true if the constraints depend only on the view of a query: no constraint subscribes to events
  /// or has other inputs.
  bool knows_the_view_alone() const {
    const bool needs = needs_.issues || needs_.budgets || needs_.time;
    return !has_subscriptions_ && !needs && !residency_->may_hold();
  }
  /// Returns true if the answers change only with the view or with the number that changes() returns.
  bool reports_changes() const { return reports_changes_ && !needs_.budgets && !needs_.time; }
  std::uint64_t changes(Cycle now) const {
    std::uint64_t sum = held_changes_;
    for (IssueConstraint* constraint : changing_) sum += constraint->changes(now);
    return sum;
  }

  /// Adds the probe points of the constraints. Position and type of a constraint give the name of its point:
  /// "<scope>.constraint3_register_throttle".
  void probes(const ProbeScope& scope);
  void assembled(std::span<const RegisterClaims* const> by_partition);
  void subscribe(LifeChannel& life);

 private:
  enum class Counts : std::uint8_t { hazard, unit_unavailable, structural, own };
  struct Link {
    std::unique_ptr<IssueConstraint> constraint;
    std::string name;
    Counts counts = Counts::structural;
    bool lasting = false;
    bool again = false;  ///< true: the constraint follows the issues within a cycle (ConstraintNeeds::issues)
    bool hazards = false;  ///< true: the constraint blocks exactly the warps with hazards and is never called
    std::size_t own = 0;
  };

  std::uint64_t& requested_by(Obstacle obstacle);

  std::vector<Link> links_;
  /// Constraints that may block a warp, one bit each. always_: constraints that may block in any cycle.
  /// by_hazards_: constraints that block only warps with hazards. by_collectors_: constraints that block only
  /// if a collector set has too few free collectors. by_units_: constraints that block only if a unit class
  /// has no unit that accepts every instruction.
  std::uint64_t always_ = 0, by_hazards_ = 0, by_collectors_ = 0, by_units_ = 0;
  bool begins_with_hazards_ = false;
  std::vector<std::string> reasons_;
  ConstraintNeeds needs_;
  bool has_subscriptions_ = false;
  /// true: every constraint either has no state of its own or reports its changes (changes())
  bool reports_changes_ = true;
  std::vector<IssueConstraint*> changing_;  ///< constraints that report changes of their state (changes())
  /// constraints whose answers may change by time alone (next_change())
  std::vector<IssueConstraint*> timed_;
  WarpResidency nothing_held_;
  WarpResidency* residency_ = &nothing_held_;
  std::uint64_t held_changes_ = 0;
};

}  // namespace heddle
