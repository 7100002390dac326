#include "models/sm/constraint_chain.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/core/error.h"
#include "models/core/part_path.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

bool counts_hazards_alone(const IssueConstraint& constraint) {
  return constraint.obstacle() == Obstacle::hazard && !constraint.lasting() &&
         constraint.own_reason() == nullptr && constraint.reason() == StallReason::dependence;
}

}  // namespace

ConstraintChain::ConstraintChain(const std::vector<ConfigNode>& choices, IssueConstraint::Context context) {
  for (const ConfigNode& choice : choices) {
    add(Registry<IssueConstraint>::instance().make(choice, context),
        part_place_name("constraint", links_.size(), choice_name(choice)));
    WarpResidency* residency = links_.back().constraint->residency();
    if (residency && !residency_->may_hold()) residency_ = residency;
  }
  if (residency_->may_hold()) {
    holds_.add(*residency_, std::uint64_t{1} << links_.size());
    add(std::make_unique<HeldWarps>(*residency_, context),
        part_place_name("constraint", links_.size(), residency_->reason()));
  }
  std::vector<std::string> own;
  for (const Link& link : links_)
    if (link.counts == Counts::own) own.emplace_back(link.constraint->own_reason());
  reasons_ = stall_reason_names(std::move(own));
  for (Link& link : links_) name_reason(link);
  always_ = holds_.holding(always_);
}

void ConstraintChain::add(std::unique_ptr<IssueConstraint> made, std::string name) {
  Link link;
  link.constraint = std::move(made);
  link.name = std::move(name);
  const IssueConstraint& constraint = *link.constraint;
  link.lasting = constraint.lasting();
  const bool read_off = links_.empty() && counts_hazards_alone(constraint);
  begins_with_hazards_ |= read_off;
  link.hazards = constraint.obstacle() == Obstacle::hazard;
  const ConstraintNeeds needs = constraint.needs();
  const Obstacle obstacle = needs.issues ? Obstacle::anything : constraint.obstacle();
  if (!read_off) requested_by(obstacle) |= std::uint64_t{1} << links_.size();
  link.again = needs.issues;
  if (constraint.own_reason() != nullptr) {
    link.counts = Counts::own;
  } else if (constraint.reason() == StallReason::unit_unavailable) {
    link.counts = Counts::unit_unavailable;
  } else if (constraint.reason() == StallReason::dependence) {
    link.counts = Counts::hazard;
  }
  needs_.issues |= needs.issues;
  needs_.budgets |= needs.budgets;
  needs_.holdings |= needs.holdings;
  needs_.time |= needs.time;
  if (needs.time) timed_.push_back(link.constraint.get());
  const bool subscribed = constraint.subscriptions().has_any(kAllLife);
  has_subscriptions_ |= subscribed;
  if (needs.changes)
    changing_.push_back(link.constraint.get());
  else
    reports_changes_ &= !subscribed && !needs.issues;
  links_.push_back(std::move(link));
}

void ConstraintChain::name_reason(Link& link) {
  if (link.counts != Counts::own) return;
  const std::string reason = link.constraint->own_reason();
  auto at = std::find(reasons_.begin(), reasons_.end(), reason);
  if (at == reasons_.end()) at = reasons_.insert(reasons_.end(), reason);
  link.own = static_cast<std::size_t>(at - reasons_.begin());
}

void ConstraintChain::add_hold(WarpHold& hold, int warps, int schedulers) {
  if (links_.size() >= 64)
    throw Error(IssueConstraint::kPlace, "more than 64 constraints, with those of register stages",
                "fewer constraints, or fewer register stages that hold warps");
  IssueConstraint::Context context;
  context.warps = warps;
  context.schedulers = schedulers;
  holds_.add(hold, std::uint64_t{1} << links_.size());
  add(std::make_unique<HeldWarps>(hold, context),
      part_place_name("constraint", links_.size(), hold.reason()));
  name_reason(links_.back());
  always_ = holds_.holding(always_);
}

std::uint64_t& ConstraintChain::requested_by(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::hazard:
      return by_hazards_;
    case Obstacle::no_collector:
      return by_collectors_;
    case Obstacle::unit_unavailable:
      return by_units_;
    case Obstacle::anything:
      break;
  }
  return always_;
}

// Calls the constraints in the bit mask `links`, and adds the warps that they block to `blocked`. Constraints
// on execution units are called only for warps that no other constraint blocks. A warp therefore counts as
// unit_unavailable only if it waits for nothing else.
void ConstraintChain::query(std::uint64_t links, ConstraintView& view, Blocked& blocked) const {
  WarpSet unit_unavailable = 0, others = blocked.all;
  for (; links; links &= links - 1) {
    const Link& link = links_[static_cast<std::size_t>(std::countr_zero(links))];
    const WarpSet candidates = view.candidates;
    if (link.counts == Counts::unit_unavailable && !link.lasting) view.candidates &= ~others;
    const WarpSet held = link.hazards ? view.hazard : link.constraint->blocked(view);
    view.candidates = candidates;
    if (!held) continue;
    if (link.counts == Counts::unit_unavailable) {
      unit_unavailable |= held;
    } else {
      const WarpSet first = held & ~blocked.all;
      if (link.counts == Counts::structural) blocked.structural |= first;
      if (link.counts == Counts::own && blocked.own == 0 && first) blocked.own = link.own;
      others |= held;
    }
    if (link.lasting) blocked.lasting |= held;
    blocked.all |= held;
  }
  blocked.unit_unavailable = unit_unavailable & ~others;
}

bool ConstraintChain::still_passes(const ConstraintView& view) const {
  return std::none_of(links_.begin(), links_.end(), [&](const Link& link) {
    return link.again && !link.constraint->blocked(view).empty();
  });
}

void ConstraintChain::probes(const ProbeScope& scope) {
  for (Link& link : links_) link.constraint->probes(scope.part(link.name));
}

void ConstraintChain::assembled(std::span<const RegisterClaims* const> by_partition) {
  for (Link& link : links_) link.constraint->assembled(by_partition);
}

// Subscribes the constraints to life events. They receive only events of earlier cycles, so that results are
// independent of module order.
void ConstraintChain::subscribe(LifeChannel& life) {
  for (Link& link : links_) life.follow(*link.constraint, link.constraint->subscriptions());
  life.follow(*residency_, residency_->subscriptions());
}

}  // namespace heddle
