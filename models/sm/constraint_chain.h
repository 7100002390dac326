#pragma once

// The issue constraints of an SM in the order of the configuration, and what they say together.

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

  /// Candidates that may not issue, and by what.
  struct Blocked {
    WarpSet all = 0;
    WarpSet structural = 0;  ///< whose first obstacle counts as structural
    WarpSet no_unit = 0;     ///< whose only obstacle is that no unit takes it
    WarpSet lasting = 0;     ///< warps that a lasting constraint blocks
    std::size_t own = 0;     ///< reason of the first constraint with one of its own that is some warp's first
                             ///< obstacle; 0 if there is none
  };
  /// Warps that need no call: those with hazards, if the first link blocks these and nothing else.
  void begin(const ConstraintView& view, Blocked& blocked) const {
    blocked = {};
    if (begins_with_hazards_) blocked.all = view.hazard;
  }
  /// Links, one bit each, that may block a warp because of hazards, collectors or units in the view. If there
  /// are none, the other members of the view need not be computed.
  std::uint64_t asked_for(const ConstraintView& view) const {
    std::uint64_t asked = always_;
    if (view.hazard) asked |= by_hazards_;
    if (view.free_collectors.fewest() <= view.slot) asked |= by_collectors_;
    if (!view.all_take) asked |= by_units_;
    return asked;
  }
  /// Calls these links alone, and adds their warps to `blocked`, with the reason from begin().
  void ask(std::uint64_t links, ConstraintView& view, Blocked& blocked) const;
  /// True if constraints that are called again still pass the view's only candidate.
  bool still_passes(const ConstraintView& view) const;

  /// By number, see stall_reason_names.
  const std::vector<std::string>& reasons() const { return reasons_; }
  /// Union of the constraints' needs.
  const ConstraintNeeds& needs() const { return needs_; }
  /// Residency of the first constraint that holds warps; otherwise the null object.
  WarpResidency& residency() { return *residency_; }
  /// Warps that residency() holds do not issue.
  void renew_held();
  /// The first cycle after `now` in which an answer may differ by time alone.
  Cycle next_change(Cycle now) const {
    Cycle next = kNever;
    for (const IssueConstraint* constraint : timed_) next = std::min(next, constraint->next_change(now));
    return next;
  }
  /// Answers depend on the view alone: no constraint subscribes to events or has other inputs.
  bool knows_the_view_alone() const {
    const bool needs = needs_.issues || needs_.budgets || needs_.time;
    return !hears_something_ && !needs && !residency_->may_hold();
  }
  /// Answers depend on the view, and on the constraint's own changes().
  bool tells_changes() const { return tells_changes_ && !needs_.budgets && !needs_.time; }
  std::uint64_t changes(Cycle now) const {
    std::uint64_t sum = held_changes_;
    for (IssueConstraint* constraint : changing_) sum += constraint->changes(now);
    return sum;
  }

  /// IssueConstraint::probes, by place and type: "<scope>.constraint3_register_throttle".
  void probes(const ProbeScope& scope);
  void assembled(std::span<const RegisterClaims* const> by_partition);
  void subscribe(LifeChannel& life);

 private:
  enum class Counts : std::uint8_t { hazard, no_unit, structural, own };
  struct Link {
    std::unique_ptr<IssueConstraint> constraint;
    std::string name;
    Counts counts = Counts::structural;
    bool lasting = false;
    bool again = false;    ///< ConstraintNeeds::issues
    bool hazards = false;  ///< it blocks these without a call
    std::size_t own = 0;
  };

  std::uint64_t& asked_by(Obstacle obstacle);

  std::vector<Link> links_;
  /// Links, one bit each, that block by anything, by hazards, by lack of collectors, by lack of units.
  std::uint64_t always_ = 0, by_hazards_ = 0, by_collectors_ = 0, by_units_ = 0;
  bool begins_with_hazards_ = false;
  std::vector<std::string> reasons_;
  ConstraintNeeds needs_;
  bool hears_something_ = false;
  bool tells_changes_ = true;               ///< each by itself, or none of its own
  std::vector<IssueConstraint*> changing_;  ///< IssueConstraint::changes
  std::vector<IssueConstraint*> timed_;     ///< IssueConstraint::next_change
  WarpResidency nothing_held_;
  WarpResidency* residency_ = &nothing_held_;
  std::uint64_t held_changes_ = 0;
};

}  // namespace heddle
