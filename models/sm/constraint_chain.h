#pragma once

// The issue constraints of an SM in the order of the configuration, and their combined result.

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

  /// Candidates that may not issue, and the reasons.
  struct Blocked {
    WarpSet all = 0;
    WarpSet structural = 0;        ///< warps whose first obstacle counts as structural
    WarpSet unit_unavailable = 0;  ///< warps whose only obstacle is that no unit accepts the instruction
    WarpSet lasting = 0;           ///< warps that a lasting constraint blocks
    /// Own reason of the first constraint that is some warp's first obstacle and has an own reason; 0: none.
    std::size_t own = 0;
  };
  /// Blocks the warps that need no call: warps with hazards, if the first constraint blocks exactly these.
  void begin(const ConstraintView& view, Blocked& blocked) const {
    blocked = {};
    if (begins_with_hazards_) blocked.all = view.hazard;
  }
  /// Returns the constraints, one bit each, that may block a warp because of hazards, collectors or units in
  /// the view. If the result is 0, the other members of the view need not be computed.
  std::uint64_t asked_for(const ConstraintView& view) const {
    std::uint64_t asked = always_;
    if (view.hazard) asked |= by_hazards_;
    if (view.free_collectors.fewest() <= view.slot) asked |= by_collectors_;
    if (!view.all_take) asked |= by_units_;
    return asked;
  }
  /// Calls only these constraints and adds their warps and reasons to `blocked`.
  void query(std::uint64_t links, ConstraintView& view, Blocked& blocked) const;
  /// True if the constraints with needs().issues still pass the view's only candidate.
  bool still_passes(const ConstraintView& view) const;

  /// Names of the stall reasons by number, see stall_reason_names.
  const std::vector<std::string>& reasons() const { return reasons_; }
  /// Union of the constraints' needs.
  const ConstraintNeeds& needs() const { return needs_; }
  /// Residency of the first constraint that can hold warps; otherwise the null object.
  WarpResidency& residency() { return *residency_; }
  /// Updates the blocked warps after residency() has changed its held warps.
  void renew_held();
  /// Returns the first cycle after `now` in which an answer may change by time alone.
  Cycle next_change(Cycle now) const {
    Cycle next = kNever;
    for (const IssueConstraint* constraint : timed_) next = std::min(next, constraint->next_change(now));
    return next;
  }
  /// True if answers depend on the view alone: no constraint subscribes to events or has other inputs.
  bool knows_the_view_alone() const {
    const bool needs = needs_.issues || needs_.budgets || needs_.time;
    return !has_subscriptions_ && !needs && !residency_->may_hold();
  }
  /// True if answers depend only on the view and on the state that changes() counts.
  bool reports_changes() const { return reports_changes_ && !needs_.budgets && !needs_.time; }
  std::uint64_t changes(Cycle now) const {
    std::uint64_t sum = held_changes_;
    for (IssueConstraint* constraint : changing_) sum += constraint->changes(now);
    return sum;
  }

  /// Adds the probe points of the constraints. A point is named by position and type:
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
    bool again = false;    ///< ConstraintNeeds::issues
    bool hazards = false;  ///< the constraint blocks exactly the hazards of the view, without a call
    std::size_t own = 0;
  };

  std::uint64_t& requested_by(Obstacle obstacle);

  std::vector<Link> links_;
  /// Constraints, one bit each, that may block: always, on hazards, without free collectors, without units.
  std::uint64_t always_ = 0, by_hazards_ = 0, by_collectors_ = 0, by_units_ = 0;
  bool begins_with_hazards_ = false;
  std::vector<std::string> reasons_;
  ConstraintNeeds needs_;
  bool has_subscriptions_ = false;
  bool reports_changes_ = true;             ///< every constraint has changes(), or no state of its own
  std::vector<IssueConstraint*> changing_;  ///< constraints with changes()
  std::vector<IssueConstraint*> timed_;     ///< constraints with next_change()
  WarpResidency nothing_held_;
  WarpResidency* residency_ = &nothing_held_;
  std::uint64_t held_changes_ = 0;
};

}  // namespace heddle
