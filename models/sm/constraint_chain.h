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
    WarpSet lasting = 0;     ///< whom a lasting constraint holds back
    std::size_t own = 0;     ///< reason of the first constraint with one of its own that is some warp's first
                             ///< obstacle; 0 if there is none
  };
  /// What need not be asked of anybody: the hazards, where the first link blocks these and nothing else.
  void begin(const ConstraintView& view, Blocked& blocked) const {
    blocked = {};
    if (begins_with_hazards_) blocked.all = view.hazard;
  }
  /// The links of the chain, a bit each, that may block somebody by what the view says of hazards, collectors and
  /// units: what else it says need not be known where there is none.
  std::uint64_t asked_for(const ConstraintView& view) const {
    std::uint64_t asked = always_;
    if (view.hazard) asked |= by_hazards_;
    if (view.free_collectors.fewest() <= view.slot) asked |= by_collectors_;
    if (!view.all_take) asked |= by_units_;
    return asked;
  }
  /// Asks these links alone, and adds to `blocked`, with what begin() said in it.
  void ask(std::uint64_t links, ConstraintView& view, Blocked& blocked) const;
  /// Whether constraints that are asked again still let the view's only candidate pass.
  bool still_passes(const ConstraintView& view) const;

  /// By number, see stall_reason_names.
  const std::vector<std::string>& reasons() const { return reasons_; }
  /// What some constraint needs.
  const ConstraintNeeds& needs() const { return needs_; }
  /// Of the first constraint that holds warps; else the null object.
  WarpResidency& residency() { return *residency_; }
  /// Those that residency() holds do not issue.
  void renew_held();
  /// The first cycle after `now` in which an answer may differ by time alone.
  Cycle next_change(Cycle now) const {
    Cycle next = kNever;
    for (const IssueConstraint* constraint : timed_) next = std::min(next, constraint->next_change(now));
    return next;
  }
  /// Answers depend on the view alone: no constraint hears of anything, or has to know more.
  bool knows_the_view_alone() const {
    const bool needs = needs_.issues || needs_.budgets || needs_.time;
    return !hears_something_ && !needs && !residency_->may_hold();
  }
  /// Answers depend on the view, and on what changes() tells.
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
    bool hazards = false;  ///< it blocks these, and is not asked
    std::size_t own = 0;
  };

  std::uint64_t& asked_by(Obstacle obstacle);

  std::vector<Link> links_;
  /// Of links_, a bit each: those that block by anything, by hazards, by want of collectors, of units.
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
