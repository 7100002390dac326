#include "models/gating/domain_accounts.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"

namespace heddle {
namespace {

constexpr std::array<CounterText, DomainAccounts::kIdleRanges.size()> kRangeNames{
    "idle_periods_1",     "idle_periods_2",     "idle_periods_3",     "idle_periods_4",
    "idle_periods_5",     "idle_periods_6_7",   "idle_periods_8_9",   "idle_periods_10_12",
    "idle_periods_13_15", "idle_periods_16_19", "idle_periods_20_23", "idle_periods_24_31",
    "idle_periods_32_63", "idle_periods_64_up"};

constexpr auto kRangeOf = [] {
  std::array<std::uint8_t, static_cast<std::size_t>(DomainAccounts::kIdleRanges.back()) + 1> range{};
  for (std::size_t length = 1, r = 0; length < range.size(); ++length) {
    if (r + 1 < DomainAccounts::kIdleRanges.size() &&
        DomainAccounts::kIdleRanges[r + 1] == static_cast<int>(length))
      ++r;
    range[length] = static_cast<std::uint8_t>(r);
  }
  return range;
}();

}  // namespace

DomainAccounts::DomainAccounts(const DomainGroupWiring& wiring, Cycle least_gated)
    : name_(wiring.name),
      parts_(wiring.kind == DomainKind::parts),
      idle_detect_(static_cast<Cycle>(wiring.parameters.idle_detect_cycles)),
      break_even_(static_cast<Cycle>(wiring.parameters.break_even_cycles)),
      wake_up_(static_cast<Cycle>(wiring.parameters.wake_up_cycles)),
      least_gated_(least_gated),
      domains_(static_cast<std::size_t>(wiring.domains)) {
  const auto add_counters = [&](const StatsScope& scope, CounterText cycles) {
    counters_.push_back(counters_in(scope, cycles));
  };
  if (parts_) {
    add_counters(wiring.stats.scope(name_), "domain-cycles");
    return;
  }
  for (int i = 0; i < wiring.domains; ++i) {
    const StatsScope scope = wiring.stats.scope(fmt::format("{}{}", name_, i));
    add_counters(scope, "cycles");
    periods_.push_back(idle_periods_in(scope));
  }
}

DomainAccounts::Counters DomainAccounts::counters_in(const StatsScope& scope, CounterText cycles) {
  Counters c;
  c.state = {&scope.add("on_cycles", cycles, "powered, in use or idle"),
             &scope.add("uncompensated_cycles", cycles, "gated, up to the break-even time"),
             &scope.add("compensated_cycles", cycles, "gated beyond the break-even time"),
             &scope.add("wake_up_cycles", cycles, "waking up: leaks, cannot be used")};
  c.idle = &scope.add("idle_cycles", cycles, "powered, without an instruction in it");
  c.sleeps = &scope.add("sleeps", "events", "times it was gated");
  c.wake_ups = &scope.add("wake_ups", "events", "times it was woken");
  c.early = &scope.add("early_wake_ups", "events", "wake-ups before the break-even time had passed");
  c.critical =
      &scope.add("critical_wake_ups", "events", "wake-ups in the first cycle after the break-even time");
  c.unused = &scope.add("unused_wake_ups", "events", "wake-ups after which it was gated again without a use");
  return c;
}

DomainAccounts::IdlePeriods DomainAccounts::idle_periods_in(const StatsScope& scope) {
  IdlePeriods p;
  p.short_periods = &scope.add("idle_periods_short", "periods", "idle periods shorter than idle-detect");
  p.middle_periods = &scope.add("idle_periods_middle", "periods",
                                "idle periods from idle-detect to below idle-detect + break-even time");
  p.long_periods =
      &scope.add("idle_periods_long", "periods", "idle periods of idle-detect + break-even time and more");
  for (std::size_t r = 0; r < kIdleRanges.size(); ++r)
    p.ranges[r] =
        &scope.add(kRangeNames[r], "periods", "ended idle periods (gated cycles included) by length");
  return p;
}

void DomainAccounts::begin(Cycle cycle) {
  for (Domain& domain : domains_) {
    if (domain.to > settled_) domain.beyond += domain.to - settled_;
    domain.fresh = false;
    domain.to = cycle;
  }
  settled_ = cycle;
}

void DomainAccounts::enters(Cycle now, std::size_t i, const DomainView& was, PowerState state) {
  count(i, was, now);
  const Counters& a = counters_of(i);
  Domain& own = domains_[i];
  if (state == PowerState::uncompensated) {
    ++*a.sleeps;
    if (own.fresh) ++*a.unused;
    own.fresh = false;
    own.gated_from = now;
  }
  if (state == PowerState::wake_up) {
    ++*a.wake_ups;
    if (now == own.gated_from + least_gated_)
      ++*a.critical;
    else if (was.state == PowerState::uncompensated)
      ++*a.early;
  }
  if (state != PowerState::on) return;
  if (was.state != PowerState::wake_up || now < was.since + wake_up_)
    throw InternalError(fmt::format("{}{}: cycle {}: on after {} cycles of {} that it takes to wake up",
                                    name_, i, now, was.state == PowerState::wake_up ? now - was.since : 0,
                                    wake_up_));
  own.fresh = true;
}

void DomainAccounts::end_idle_period(IdlePeriods& a, Cycle length) {
  ++*(length < idle_detect_                 ? a.short_periods
      : length < idle_detect_ + break_even_ ? a.middle_periods
                                            : a.long_periods);
  ++*a.ranges[kRangeOf[std::min<Cycle>(length, kRangeOf.size() - 1)]];
}

void DomainAccounts::count(std::size_t i, const DomainView& was, Cycle cycle) {
  Domain& a = domains_[i];
  if (cycle <= a.to) return;
  Counters& counters = counters_of(i);
  *counters.state[static_cast<std::size_t>(was.state)] += cycle - a.to;
  if (was.state == PowerState::on) *counters.idle += cycle - std::max(a.to, std::min(cycle, was.idle_since));
  a.to = cycle;
}

void DomainAccounts::settle(Cycle cycle, std::span<const DomainView> views) {
  for (std::size_t i = 0; i < domains_.size(); ++i) count(i, views[i], cycle);
  total_cycles_ += cycle - settled_;
  settled_ = cycle;
}

void DomainAccounts::check_conservation() const {
  const std::size_t each = domains_.size() / counters_.size();
  for (std::size_t c = 0; c < counters_.size(); ++c) {
    std::uint64_t sum = 0, cycles = 0;
    for (const Counter* state : counters_[c].state) sum += state->value();
    for (std::size_t i = c * each; i < (c + 1) * each; ++i)
      cycles +=
          total_cycles_ + domains_[i].beyond + (domains_[i].to > settled_ ? domains_[i].to - settled_ : 0);
    if (sum != cycles)
      throw InternalError(fmt::format("{}{}: state times sum to {} of {} cycles", name_, c, sum, cycles));
  }
}

}  // namespace heddle
