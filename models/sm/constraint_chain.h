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
#include "models/sm/held_warps.h"

namespace heddle {

class ConstraintChain {
 public:
  ConstraintChain(const std::vector<ConfigNode>& choices, IssueConstraint::Context context);

  struct Blocked {
    WarpSet all = 0;
    WarpSet structural = 0;        ///< warps that are counted with the stall reason "structural"
    WarpSet unit_unavailable = 0;  ///< warps that are blocked only because no unit accepts their instruction
    WarpSet lasting = 0;
    /// If the first constraint that blocks a warp defines its own stall reason: the number of this reason.
    /// Otherwise 0.
    std::size_t own = 0;
  };
  void begin(const ConstraintView& view, Blocked& blocked) const {
    blocked = {};
    if (begins_with_hazards_) blocked.all = view.hazard;
  }
  /// Returns the bit mask of the constraints that must be called. The mask depends on the hazards, free
  /// collectors and available units in `view`. If the result is 0, the caller need not compute the other
  /// members of the view.
  std::uint64_t asked_for(const ConstraintView& view) const {
    std::uint64_t asked = always_;
    if (view.hazard) asked |= by_hazards_;
    if (view.free_collectors.fewest() <= view.slot) asked |= by_collectors_;
    if (!view.all_take) asked |= by_units_;
    return asked;
  }
  void query(std::uint64_t links, ConstraintView& view, Blocked& blocked) const;
  /// Calls the constraints that must be called again after each issue of a cycle. `view` must have a single
  /// candidate warp. Returns true if no constraint blocks this warp.
  bool still_passes(const ConstraintView& view) const;

  const std::vector<std::string>& reasons() const { return reasons_; }
  const ConstraintNeeds& needs() const { return needs_; }
  /// Returns the object that moves registers of warps to memory, from the first constraint that has such an
  /// object. If no constraint has one, returns an object without effect.
  WarpResidency& residency() { return *residency_; }
  /// Adds an object that can keep warps from issuing (WarpHold), as the last constraint. `warps`,
  /// `schedulers`: numbers of warp slots and of schedulers of the SM. Throws Error if there are too many
  /// constraints.
  void add_hold(WarpHold& hold, int warps, int schedulers);
  /// True if at least one object of add_hold() may keep warps from issuing.
  bool may_hold() const { return holds_.any(); }
  /// Returns the first cycle in which step_holds() has work.
  Cycle next_hold() const { return holds_.next(); }
  /// Calls step() of those WarpHold objects that have work in cycle `now`.
  void step_holds(Cycle now, WarpSet bound, WarpSet active) {
    holds_.step(now, bound, active);
    always_ = holds_.holding(always_);
  }
  /// Returns the first cycle after `now` in which a constraint may block a different set of warps although no
  /// event occurs.
  Cycle next_change(Cycle now) const {
    Cycle next = kNever;
    for (const IssueConstraint* constraint : timed_) next = std::min(next, constraint->next_change(now));
    return next;
  }
  /// True if the results of all constraints depend only on the ConstraintView.
  bool knows_the_view_alone() const {
    const bool needs = needs_.issues || needs_.budgets || needs_.time;
    return !has_subscriptions_ && !needs && !may_hold();
  }
  /// True if the results of all constraints depend only on the ConstraintView and on the number that
  /// changes() returns.
  bool reports_changes() const { return reports_changes_ && !needs_.budgets && !needs_.time; }
  std::uint64_t changes(Cycle now) const {
    std::uint64_t sum = holds_.changes();
    for (IssueConstraint* constraint : changing_) sum += constraint->changes(now);
    return sum;
  }

  /// Adds the probe points of the constraints. The names of the points contain position and type, such as
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
    bool again = false;
    bool hazards = false;
    std::size_t own = 0;
  };

  void add(std::unique_ptr<IssueConstraint> constraint, std::string name);
  void name_reason(Link& link);
  std::uint64_t& requested_by(Obstacle obstacle);

  std::vector<Link> links_;
  /// Bit masks of constraints, by the case in which the SM must call them. `always_`: in every cycle.
  /// `by_hazards_`: if a candidate has a hazard. `by_collectors_`: if a collector set has too few free
  /// collectors. `by_units_`: if a unit class has no unit that accepts every instruction.
  std::uint64_t always_ = 0, by_hazards_ = 0, by_collectors_ = 0, by_units_ = 0;
  bool begins_with_hazards_ = false;
  std::vector<std::string> reasons_;
  ConstraintNeeds needs_;
  bool has_subscriptions_ = false;
  bool reports_changes_ = true;
  std::vector<IssueConstraint*> changing_;
  std::vector<IssueConstraint*> timed_;
  WarpResidency nothing_held_;
  WarpResidency* residency_ = &nothing_held_;
  WarpHolds holds_;
};

}  // namespace heddle
