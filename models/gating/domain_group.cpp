#include "models/gating/domain_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

std::unique_ptr<GatingPolicy> make_policy(const DomainGroupWiring& wiring) {
  GatingPolicy::Context context{wiring.domains, wiring.parameters, wiring.kind};
  const ConfigNode& choice = wiring.parameters.policy;
  auto policy = Registry<GatingPolicy>::instance().make(choice, context);
  if (const char* reason = policy->refuses(wiring.kind))
    throw Error(choice.where(),
                fmt::format("{} over domains that are {}: {}", choice_name(choice),
                            wiring.kind == DomainKind::parts ? "parts" : "alternatives", reason));
  return policy;
}

/// When the break-even or the wake-up time of a domain is over, by itself.
Cycle next_transition(const std::vector<DomainView>& domains, const DomainGroupParameters& parameters) {
  Cycle next = kNever;
  for (const DomainView& d : domains) {
    if (d.state == PowerState::uncompensated)
      next = std::min(next, d.since + static_cast<Cycle>(parameters.break_even_cycles));
    else if (d.state == PowerState::wake_up)
      next = std::min(next, d.since + static_cast<Cycle>(parameters.wake_up_cycles));
  }
  return next;
}

}  // namespace

DomainGroup::DomainGroup(const Wiring& wiring)
    : wiring_(wiring),
      policy_(make_policy(wiring)),
      never_gates_(policy_->never_gates()),
      domains_(static_cast<std::size_t>(wiring.domains)),
      uses_(static_cast<std::size_t>(wiring.domains)),
      accounts_(wiring, static_cast<Cycle>(wiring.parameters.break_even_cycles) +
                            (policy_->wakes_at_break_even() ? 0 : 1)),
      all_(static_cast<DomainSet>((std::uint64_t{1} << wiring.domains) - 1)),
      awake_(all_),
      takes_(all_) {}

void DomainGroup::begin(Cycle cycle) {
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    domains_[i] = {PowerState::on, cycle, cycle, false};
    uses_[i] = {0, cycle, 0};
  }
  accounts_.begin(cycle);
  awake_ = takes_ = all_;
  takes_again_ = kNever;
  ++changes_;
  gated_ = in_use_ = called_ = 0;
  inputs_ = {};
  if (probe_.attached()) probe_.told({cycle - 1, true, {}});
  policy_->begin(cycle);
  next_step_ = never_gates_ ? kNever : cycle + 1;
}

// The policy sees the end of cycle now - 1; states of `now` follow.
void DomainGroup::step(Cycle now) {
  const DomainGroupView view{inputs_, wiring_.kind, now - 1, domains_, wiring_.issue_wakes, called_};
  GatingDecision decision = policy_->decide(view);
  if (probe_.attached()) probe_.answered({now - 1, false, view}, decision);
  if ((decision.sleep & (in_use_ | ~awake_)) != 0 || (decision.wake & ~gated_) != 0)
    throw InternalError(
        fmt::format("gating policy of {}: cycle {}: sleep {:b}, wake {:b} while awake {:b}, in use {:b}",
                    wiring_.name, now - 1, decision.sleep, decision.wake, awake_, in_use_));
  if (const DomainSet lost = called_ & gated_ & ~decision.wake)
    throw InternalError(
        fmt::format("gating policy of {}: cycle {}: {:b} may wake, an instruction has issued to it, and the "
                    "policy does not wake it",
                    wiring_.name, now - 1, lost));
  bool any = false;
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    const DomainView& d = domains_[i];
    const DomainSet bit = DomainSet{1} << i;
    PowerState next = d.state;
    if (decision.sleep & bit)
      next = PowerState::uncompensated;
    else if (decision.wake & bit)
      next = PowerState::wake_up;
    else if (d.state == PowerState::uncompensated &&
             now >= d.since + static_cast<Cycle>(wiring_.parameters.break_even_cycles))
      next = PowerState::compensated;
    else if (d.state == PowerState::wake_up &&
             now >= d.since + static_cast<Cycle>(wiring_.parameters.wake_up_cycles))
      next = PowerState::on;
    if (next == d.state) continue;
    enter(i, next, now);
    any = true;
  }
  if (any || wiring_.issue_wakes) renew_takes(now);
  next_step_ = wiring_.every_cycle || any
                   ? now + 1
                   : std::min({next_transition(domains_, wiring_.parameters), takes_again_,
                               decision.again == kNever ? kNever : std::max(now, decision.again) + 1});
}

// States of `now` are in force. The policy's answer may depend on the inputs that decide() has just seen, too.
void DomainGroup::renew_takes(Cycle now) {
  if (!wiring_.issue_wakes) {
    takes_ = awake_;
    return;
  }
  takes_again_ = kNever;
  const DomainGroupView view{inputs_, wiring_.kind, now, domains_, true, called_};
  const DomainSet takes = (all_ & ~gated_) | (gated_ ? gated_ & policy_->may_wake(view, takes_again_) : 0);
  if (takes_again_ != kNever) takes_again_ = std::max(takes_again_, now + 1);
  if (takes == takes_) return;
  takes_ = takes;
  ++changes_;
}

void DomainGroup::enter(std::size_t i, PowerState state, Cycle now) {
  DomainView& d = domains_[i];
  const DomainSet bit = DomainSet{1} << i;
  accounts_.enters(now, i, d, state);
  ++changes_;
  d.state = state;
  d.since = now;
  if (state == PowerState::on) d.idle_since = now;
  awake_ = state == PowerState::on ? awake_ | bit : awake_ & ~bit;
  gated_ = is_gated(state) ? gated_ | bit : gated_ & ~bit;
  if (!(called_ & awake_ & bit)) return;
  called_ &= ~bit;
  const Cycle called_for = std::exchange(uses_[i].called_for, 0);
  begin_use(now, i, false, called_for == kNever ? kNever : now + called_for);
}

void DomainGroup::begin_use(Cycle now, std::size_t i, bool used, Cycle busy_until) {
  Use& use = uses_[i];
  accounts_.used(now, i, domains_[i], use.idle_from);
  domains_[i].idle_since = use.idle_from = std::max(use.idle_from, busy_until);
  if (used) return;
  domains_[i].used = true;
  in_use_ |= DomainSet{1} << i;
  changed(now);
}

void DomainGroup::end_use(Cycle now, std::size_t i) {
  Use& use = uses_[i];
  accounts_.left(now, i, domains_[i]);
  domains_[i].idle_since = use.idle_from = std::min(now, use.idle_from);
  domains_[i].used = false;
  in_use_ &= ~(DomainSet{1} << i);
  changed(now);
}

// Where no issue wakes anything, only those awake may be used.
void DomainGroup::call(Cycle now, DomainSet domains, Cycle busy_until) {
  if (const DomainSet refused = domains & ~takes_) {
    const auto i = static_cast<std::size_t>(std::countr_zero(refused));
    throw InternalError(fmt::format("cycle {}: an instruction for {}{}, which is {}", now, wiring_.name, i,
                                    name_of(domains_[i].state)));
  }
  const Cycle busy = busy_until == kNever ? kNever : busy_until - now;
  for (DomainSet rest = domains; rest; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    ++uses_[i].users;
    uses_[i].called_for = std::max(uses_[i].called_for, busy);
    accounts_.called(i);
  }
  called_ |= domains;
  changed(now);
}

void check_entered(const DomainGroup& group, Cycle at, DomainSet domains) {
  for (DomainSet rest = domains; rest; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const DomainView& domain = group.domain(i);
    if (domain.state != PowerState::on || domain.since > at || !domain.used)
      throw InternalError(fmt::format("an instruction entered {}{} in cycle {}, which was not on",
                                      group.wiring().name, i, at));
  }
}

void DomainGroup::settle(Cycle cycle) {
  if (cycle <= accounts_.settled()) return;
  advance(cycle - 1);
  accounts_.settle(cycle, domains_);
}

}  // namespace heddle
