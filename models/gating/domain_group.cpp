#include "models/gating/domain_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

std::string range_name(std::size_t i) {
  const auto& low = DomainGroup::kIdleRanges;
  if (i + 1 == low.size()) return fmt::format("idle_periods_{}_up", low[i]);
  if (low[i + 1] == low[i] + 1) return fmt::format("idle_periods_{}", low[i]);
  return fmt::format("idle_periods_{}_{}", low[i], low[i + 1] - 1);
}

}  // namespace

DomainGroup::DomainGroup(const Wiring& wiring)
    : name_(wiring.name),
      parameters_(wiring.parameters),
      every_cycle_(wiring.every_cycle),
      domains_(static_cast<std::size_t>(wiring.domains)),
      accounts_(static_cast<std::size_t>(wiring.domains)),
      all_(static_cast<DomainSet>((std::uint64_t{1} << wiring.domains) - 1)),
      awake_(all_) {
  GatingPolicy::Context context{wiring.domains, wiring.parameters};
  policy_ = Registry<GatingPolicy>::instance().make(parameters_.policy, context);
  never_gates_ = policy_->never_gates();
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    const StatsScope scope = wiring.stats.scope(fmt::format("{}{}", name_, i));
    Account& a = accounts_[i];
    a.state = {&scope.add("on_cycles", "cycles", "powered, in use or idle"),
               &scope.add("uncompensated_cycles", "cycles", "gated, up to the break-even time"),
               &scope.add("compensated_cycles", "cycles", "gated beyond the break-even time"),
               &scope.add("wake_up_cycles", "cycles", "waking up: leaks, cannot be used")};
    a.idle = &scope.add("idle_cycles", "cycles", "powered with nothing in it");
    a.sleeps = &scope.add("sleeps", "events", "times it was gated");
    a.wake_ups = &scope.add("wake_ups", "events", "times it was woken");
    a.early = &scope.add("early_wake_ups", "events", "wake-ups before the break-even time had passed");
    a.critical =
        &scope.add("critical_wake_ups", "events", "wake-ups in the first cycle after the break-even time");
    a.short_periods = &scope.add("idle_periods_short", "periods", "idle periods shorter than idle-detect");
    a.middle_periods = &scope.add("idle_periods_middle", "periods",
                                  "idle periods from idle-detect to below idle-detect + break-even time");
    a.long_periods =
        &scope.add("idle_periods_long", "periods", "idle periods of idle-detect + break-even time and more");
    for (std::size_t r = 0; r < kIdleRanges.size(); ++r)
      a.ranges[r] =
          &scope.add(range_name(r), "periods", "ended idle periods (gated cycles included) by length");
  }
}

std::unique_ptr<GatingPolicy> DomainGroup::exchange_policy(std::unique_ptr<GatingPolicy> policy) {
  std::swap(policy_, policy);
  never_gates_ = policy_->never_gates();
  return policy;
}

void DomainGroup::begin(Cycle cycle) {
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    domains_[i] = {PowerState::on, cycle, cycle};
    accounts_[i].users = 0;
    accounts_[i].idle_from = accounts_[i].to = cycle;
  }
  awake_ = all_;
  ++changes_;
  gated_ = in_use_ = 0;
  waiting_ = demand_ = 0;
  settled_ = cycle;
  policy_->begin(cycle);
  next_step_ = never_gates_ ? kNever : cycle + 1;
}

// The policy sees the end of cycle now - 1; states of `now` follow.
void DomainGroup::step(Cycle now) {
  const GatingDecision decision = policy_->decide({now - 1, domains_, waiting_, demand_});
  if ((decision.sleep & (in_use_ | ~awake_)) != 0 || (decision.wake & ~gated_) != 0)
    throw InternalError(
        fmt::format("gating policy of {}: cycle {}: sleep {:b}, wake {:b} while awake {:b}, in use {:b}",
                    name_, now - 1, decision.sleep, decision.wake, awake_, in_use_));
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
             now >= d.since + static_cast<Cycle>(parameters_.break_even_cycles))
      next = PowerState::compensated;
    else if (d.state == PowerState::wake_up &&
             now >= d.since + static_cast<Cycle>(parameters_.wake_up_cycles))
      next = PowerState::on;
    if (next == d.state) continue;
    enter(i, next, now);
    any = true;
  }
  next_step_ = every_cycle_ || any
                   ? now + 1
                   : std::min(next_transition(),
                              decision.again == kNever ? kNever : std::max(now, decision.again) + 1);
}

Cycle DomainGroup::next_transition() const {
  Cycle next = kNever;
  for (const DomainView& d : domains_) {
    if (d.state == PowerState::uncompensated)
      next = std::min(next, d.since + static_cast<Cycle>(parameters_.break_even_cycles));
    else if (d.state == PowerState::wake_up)
      next = std::min(next, d.since + static_cast<Cycle>(parameters_.wake_up_cycles));
  }
  return next;
}

void DomainGroup::enter(std::size_t i, PowerState state, Cycle now) {
  account(i, now);
  DomainView& d = domains_[i];
  Account& a = accounts_[i];
  const DomainSet bit = DomainSet{1} << i;
  if (state == PowerState::uncompensated) ++*a.sleeps;
  if (state == PowerState::wake_up) {
    ++*a.wake_ups;
    if (d.state == PowerState::uncompensated) ++*a.early;
    if (d.state == PowerState::compensated && now == d.since + 1) ++*a.critical;
  }
  ++changes_;
  d.state = state;
  d.since = now;
  if (state == PowerState::on) d.idle_since = now;
  awake_ = state == PowerState::on ? awake_ | bit : awake_ & ~bit;
  gated_ = is_gated(state) ? gated_ | bit : gated_ & ~bit;
}

void DomainGroup::use(Cycle now, int domain) {
  const auto i = static_cast<std::size_t>(domain);
  const DomainSet bit = DomainSet{1} << i;
  if (!(awake_ & bit))
    throw InternalError(fmt::format("cycle {}: an instruction for {}{}, which is {}", now, name_, i,
                                    name_of(domains_[i].state)));
  Account& a = accounts_[i];
  if (a.users++ > 0) return;
  account(i, now);
  if (now > a.idle_from) end_idle_period(a, now - a.idle_from);
  domains_[i].idle_since = kNever;
  in_use_ |= bit;
  changed(now);
}

void DomainGroup::left(Cycle now, int domain) {
  const auto i = static_cast<std::size_t>(domain);
  Account& a = accounts_[i];
  if (--a.users > 0) return;
  account(i, now);
  domains_[i].idle_since = a.idle_from = now;
  in_use_ &= ~(DomainSet{1} << i);
  changed(now);
}

void DomainGroup::end_idle_period(Account& a, Cycle length) {
  const auto detect = static_cast<Cycle>(parameters_.idle_detect_cycles);
  const auto even = static_cast<Cycle>(parameters_.break_even_cycles);
  ++*(length < detect ? a.short_periods : length < detect + even ? a.middle_periods : a.long_periods);
  const auto above = std::upper_bound(kIdleRanges.begin(), kIdleRanges.end(), length,
                                      [](Cycle l, int low) { return l < static_cast<Cycle>(low); });
  ++*a.ranges[static_cast<std::size_t>(above - kIdleRanges.begin()) - 1];
}

void DomainGroup::account(std::size_t i, Cycle cycle) {
  Account& a = accounts_[i];
  if (cycle <= a.to) return;
  const DomainView& d = domains_[i];
  *a.state[static_cast<std::size_t>(d.state)] += cycle - a.to;
  if (d.state == PowerState::on && !d.in_use())
    *a.idle += cycle - std::max(a.to, std::min(cycle, d.idle_since));
  a.to = cycle;
}

void DomainGroup::settle(Cycle cycle) {
  if (cycle <= settled_) return;
  advance(cycle - 1);
  for (std::size_t i = 0; i < domains_.size(); ++i) account(i, cycle);
  total_cycles_ += cycle - settled_;
  settled_ = cycle;
}

void DomainGroup::check_conservation() const {
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    std::uint64_t sum = 0;
    for (const Counter* state : accounts_[i].state) sum += state->value();
    const Cycle ahead = accounts_[i].to > settled_ ? accounts_[i].to - settled_ : 0;
    if (sum != total_cycles_ + ahead)
      throw InternalError(
          fmt::format("{}{}: state times sum to {} of {} cycles", name_, i, sum, total_cycles_ + ahead));
  }
}

}  // namespace heddle
