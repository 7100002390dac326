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

/// The range of every length, of the last one for all that are longer.
constexpr auto kRangeOf = [] {
  std::array<std::uint8_t, static_cast<std::size_t>(DomainGroup::kIdleRanges.back()) + 1> range{};
  for (std::size_t length = 1, r = 0; length < range.size(); ++length) {
    if (r + 1 < DomainGroup::kIdleRanges.size() &&
        DomainGroup::kIdleRanges[r + 1] == static_cast<int>(length))
      ++r;
    range[length] = static_cast<std::uint8_t>(r);
  }
  return range;
}();

}  // namespace

DomainGroup::DomainGroup(const Wiring& wiring)
    : name_(wiring.name),
      parameters_(wiring.parameters),
      every_cycle_(wiring.every_cycle),
      kind_(wiring.kind),
      domains_(static_cast<std::size_t>(wiring.domains)),
      accounts_(static_cast<std::size_t>(wiring.domains)),
      all_(static_cast<DomainSet>((std::uint64_t{1} << wiring.domains) - 1)),
      awake_(all_),
      takes_(all_),
      issue_wakes_(wiring.issue_wakes) {
  GatingPolicy::Context context{wiring.domains, wiring.parameters, kind_};
  policy_ = Registry<GatingPolicy>::instance().make(parameters_.policy, context);
  if (const char* reason = policy_->refuses(kind_))
    throw Error(parameters_.policy.where(),
                fmt::format("{} over domains that are {}: {}", choice_name(parameters_.policy),
                            kind_ == DomainKind::parts ? "parts" : "alternatives", reason));
  never_gates_ = policy_->never_gates();
  const auto add_counters = [&](const StatsScope& scope, const char* cycles) {
    counters_.push_back(counters_in(scope, cycles));
    if (issue_wakes_)
      counters_.back().calls =
          &scope.add("issued_asleep", "instructions", "that issued to it while it was gated or waking up");
  };
  if (kind_ == DomainKind::parts) {
    add_counters(wiring.stats.scope(name_), "domain-cycles");
    return;
  }
  for (int i = 0; i < wiring.domains; ++i) {
    const StatsScope scope = wiring.stats.scope(fmt::format("{}{}", name_, i));
    add_counters(scope, "cycles");
    periods_.push_back(idle_periods_in(scope));
  }
}

DomainGroup::Counters DomainGroup::counters_in(const StatsScope& scope, const std::string& cycles) {
  Counters c;
  c.state = {&scope.add("on_cycles", cycles, "powered, in use or idle"),
             &scope.add("uncompensated_cycles", cycles, "gated, up to the break-even time"),
             &scope.add("compensated_cycles", cycles, "gated beyond the break-even time"),
             &scope.add("wake_up_cycles", cycles, "waking up: leaks, cannot be used")};
  c.idle = &scope.add("idle_cycles", cycles, "powered with nothing in it");
  c.sleeps = &scope.add("sleeps", "events", "times it was gated");
  c.wake_ups = &scope.add("wake_ups", "events", "times it was woken");
  c.early = &scope.add("early_wake_ups", "events", "wake-ups before the break-even time had passed");
  c.critical =
      &scope.add("critical_wake_ups", "events", "wake-ups in the first cycle after the break-even time");
  c.unused = &scope.add("unused_wake_ups", "events", "wake-ups after which it was gated again without a use");
  return c;
}

DomainGroup::IdlePeriods DomainGroup::idle_periods_in(const StatsScope& scope) {
  IdlePeriods p;
  p.short_periods = &scope.add("idle_periods_short", "periods", "idle periods shorter than idle-detect");
  p.middle_periods = &scope.add("idle_periods_middle", "periods",
                                "idle periods from idle-detect to below idle-detect + break-even time");
  p.long_periods =
      &scope.add("idle_periods_long", "periods", "idle periods of idle-detect + break-even time and more");
  for (std::size_t r = 0; r < kIdleRanges.size(); ++r)
    p.ranges[r] =
        &scope.add(range_name(r), "periods", "ended idle periods (gated cycles included) by length");
  return p;
}

void DomainGroup::begin(Cycle cycle) {
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    domains_[i] = {PowerState::on, cycle, cycle, false};
    if (accounts_[i].to > settled_) accounts_[i].beyond += accounts_[i].to - settled_;
    accounts_[i].users = 0;
    accounts_[i].fresh = false;
    accounts_[i].called_for = 0;
    accounts_[i].idle_from = accounts_[i].to = cycle;
  }
  awake_ = takes_ = all_;
  takes_again_ = kNever;
  ++changes_;
  gated_ = in_use_ = called_ = 0;
  inputs_ = {};
  settled_ = cycle;
  if (probe_.attached()) probe_.told({cycle - 1, true, {}});
  policy_->begin(cycle);
  next_step_ = never_gates_ ? kNever : cycle + 1;
}

// The policy sees the end of cycle now - 1; states of `now` follow.
void DomainGroup::step(Cycle now) {
  const DomainGroupView view{inputs_, kind_, now - 1, domains_, issue_wakes_, called_};
  GatingDecision decision = policy_->decide(view);
  if (probe_.attached()) [[unlikely]]
    probe_.answered({now - 1, false, view}, decision);
  if ((decision.sleep & (in_use_ | ~awake_)) != 0 || (decision.wake & ~gated_) != 0)
    throw InternalError(
        fmt::format("gating policy of {}: cycle {}: sleep {:b}, wake {:b} while awake {:b}, in use {:b}",
                    name_, now - 1, decision.sleep, decision.wake, awake_, in_use_));
  if (const DomainSet lost = called_ & gated_ & ~decision.wake) [[unlikely]]
    throw InternalError(
        fmt::format("gating policy of {}: cycle {}: {:b} may wake, an instruction has issued to it, and the "
                    "policy does not wake it",
                    name_, now - 1, lost));
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
  if (any || issue_wakes_) renew_takes(now);
  next_step_ = every_cycle_ || any
                   ? now + 1
                   : std::min({next_transition(), takes_again_,
                               decision.again == kNever ? kNever : std::max(now, decision.again) + 1});
}

// States of `now` are in force. The policy's answer may hang on the inputs that decide() has just seen, too.
void DomainGroup::renew_takes(Cycle now) {
  if (!issue_wakes_) {
    takes_ = awake_;
    return;
  }
  takes_again_ = kNever;
  const DomainGroupView view{inputs_, kind_, now, domains_, true, called_};
  const DomainSet takes = (all_ & ~gated_) | (gated_ ? gated_ & policy_->may_wake(view, takes_again_) : 0);
  if (takes_again_ != kNever) takes_again_ = std::max(takes_again_, now + 1);
  if (takes == takes_) return;
  takes_ = takes;
  ++changes_;
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
  const Counters& a = counters_of(i);
  Account& own = accounts_[i];
  const DomainSet bit = DomainSet{1} << i;
  if (state == PowerState::uncompensated) {
    ++*a.sleeps;
    if (own.fresh) ++*a.unused;
    own.fresh = false;
    own.gated_from = now;
  }
  if (state == PowerState::wake_up) {
    ++*a.wake_ups;
    const Cycle earliest =
        static_cast<Cycle>(parameters_.break_even_cycles) + (policy_->wakes_at_break_even() ? 0 : 1);
    if (now == own.gated_from + earliest)
      ++*a.critical;
    else if (d.state == PowerState::uncompensated)
      ++*a.early;
  }
  ++changes_;
  d.state = state;
  d.since = now;
  if (state == PowerState::on) {
    d.idle_since = now;
    own.fresh = true;
  }
  awake_ = state == PowerState::on ? awake_ | bit : awake_ & ~bit;
  gated_ = is_gated(state) ? gated_ | bit : gated_ & ~bit;
  if (!(called_ & awake_ & bit)) return;
  called_ &= ~bit;
  begin_use(now, i, false, own.called_for == kNever ? kNever : now + own.called_for);
  own.called_for = 0;
}

void DomainGroup::begin_use(Cycle now, std::size_t i, bool used, Cycle busy_until) {
  Account& a = accounts_[i];
  account(i, now);
  if (now > a.idle_from && !periods_.empty()) end_idle_period(periods_[i], now - a.idle_from);
  domains_[i].idle_since = a.idle_from = std::max(a.idle_from, busy_until);
  a.fresh = false;
  if (used) return;
  domains_[i].used = true;
  in_use_ |= DomainSet{1} << i;
  changed(now);
}

void DomainGroup::end_use(Cycle now, std::size_t i) {
  Account& a = accounts_[i];
  account(i, now);
  domains_[i].idle_since = a.idle_from = std::min(now, a.idle_from);
  domains_[i].used = false;
  in_use_ &= ~(DomainSet{1} << i);
  changed(now);
}

// Where no issue wakes anything, only those awake may be used.
void DomainGroup::call(Cycle now, DomainSet domains, Cycle busy_until) {
  if (domains & ~takes_) refuse_use(now, domains & ~takes_);
  const Cycle busy = busy_until == kNever ? kNever : busy_until - now;
  for (DomainSet rest = domains; rest; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    ++accounts_[i].users;
    accounts_[i].called_for = std::max(accounts_[i].called_for, busy);
    ++*counters_of(i).calls;
  }
  called_ |= domains;
  changed(now);
}

void DomainGroup::entered(Cycle at, DomainSet domains) const {
  for (DomainSet rest = domains; rest; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    if (domains_[i].state != PowerState::on || domains_[i].since > at || !domains_[i].used)
      throw InternalError(
          fmt::format("an instruction entered {}{} in cycle {}, which was not on", name_, i, at));
  }
}

void DomainGroup::refuse_use(Cycle now, DomainSet domains) const {
  const auto i = static_cast<std::size_t>(std::countr_zero(domains));
  throw InternalError(fmt::format("cycle {}: an instruction for {}{}, which is {}", now, name_, i,
                                  name_of(domains_[i].state)));
}

void DomainGroup::end_idle_period(IdlePeriods& a, Cycle length) {
  const auto detect = static_cast<Cycle>(parameters_.idle_detect_cycles);
  const auto even = static_cast<Cycle>(parameters_.break_even_cycles);
  ++*(length < detect ? a.short_periods : length < detect + even ? a.middle_periods : a.long_periods);
  ++*a.ranges[kRangeOf[std::min<Cycle>(length, kRangeOf.size() - 1)]];
}

void DomainGroup::account(std::size_t i, Cycle cycle) {
  Account& a = accounts_[i];
  if (cycle <= a.to) return;
  const DomainView& d = domains_[i];
  Counters& counters = counters_of(i);
  *counters.state[static_cast<std::size_t>(d.state)] += cycle - a.to;
  if (d.state == PowerState::on) *counters.idle += cycle - std::max(a.to, std::min(cycle, d.idle_since));
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
  const std::size_t each = domains_.size() / counters_.size();  // domains that a set of counters is for
  for (std::size_t c = 0; c < counters_.size(); ++c) {
    std::uint64_t sum = 0, cycles = 0;
    for (const Counter* state : counters_[c].state) sum += state->value();
    for (std::size_t i = c * each; i < (c + 1) * each; ++i)
      cycles +=
          total_cycles_ + accounts_[i].beyond + (accounts_[i].to > settled_ ? accounts_[i].to - settled_ : 0);
    if (sum != cycles)
      throw InternalError(fmt::format("{}{}: state times sum to {} of {} cycles", name_, c, sum, cycles));
  }
}

}  // namespace heddle
