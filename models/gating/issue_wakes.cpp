#include "models/gating/issue_wakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "models/core/error.h"

namespace heddle {

WakingGroup::WakingGroup(const DomainGroupWiring& wiring)
    : DomainGroup(wiring), called_for_(static_cast<std::size_t>(wiring.domains)) {
  const auto add = [this](const StatsScope& scope) {
    calls_.push_back(&scope.add("issued_asleep", "instructions",
                                "instructions that issued to the domain while it was gated or waking up"));
  };
  if (wiring.kind == DomainKind::parts)
    add(wiring.stats.scope(wiring.name));
  else
    for (int i = 0; i < wiring.domains; ++i) add(wiring.stats.scope(fmt::format("{}{}", wiring.name, i)));
}

void WakingGroup::begin_calls() {
  called_ = 0;
  std::fill(called_for_.begin(), called_for_.end(), 0);
}

void WakingGroup::use_asleep(Cycle now, DomainSet domains, Cycle busy_until) {
  if (const DomainSet refused = domains & ~takes()) DomainGroup::use_asleep(now, refused, busy_until);
  const Cycle busy = busy_until == kNever ? kNever : busy_until - now;
  for (DomainSet rest = domains; rest; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    called_for_[i] = std::max(called_for_[i], busy);
    ++*calls_[calls_.size() > 1 ? i : 0];
  }
  add_users(domains);
  called_ |= domains;
  changed(now);
}

void WakingGroup::query(DomainGroupView& view) const {
  view.by_name = true;
  view.asked = called_;
}

Cycle WakingGroup::renew_takes(Cycle now) {
  if (const DomainSet lost = called_ & gated())
    throw InternalError(
        fmt::format("gating policy of {}: cycle {}: {:b} may wake and an instruction has issued to it, but "
                    "the policy does not wake it",
                    wiring().name, now - 1, lost));
  Cycle again = kNever;
  const DomainSet asleep = gated();
  set_takes((all() & ~asleep) | (asleep ? asleep & policy().may_wake(view_of(now), again) : 0));
  return again == kNever ? kNever : std::max(again, now + 1);
}

void WakingGroup::is_on(Cycle now, std::size_t i) {
  if (!(called_ >> i & 1)) return;
  called_ &= ~(DomainSet{1} << i);
  const Cycle called_for = std::exchange(called_for_[i], 0);
  begin_use(now, i, false, called_for == kNever ? kNever : now + called_for);
}

IssueWakes::IssueWakes(const std::vector<std::array<UnitDomains*, kUnitClasses>>& units)
    : units_(units), given_(units.size()) {}

DomainSet IssueWakes::choices(Cycle now, const UnitUse& use, DomainSet able) {
  const UnitDomains& units = of(use);
  if (!units.takes_asleep()) return able;
  const DomainSet given = given_[use.partition][static_cast<std::size_t>(use.unit_class)].get(now);
  return preferred(units, able, given, use.lanes);
}

bool IssueWakes::may_enter(Cycle now, const UnitUse& use) {
  UnitDomains& units = of(use);
  if (!units.takes_asleep()) return true;
  DomainGroup& group = units.group_of(use.unit);
  group.advance(now);
  return !(units.domains_of(use.unit, use.lanes) & ~group.awake());
}

void IssueWakes::entered(Cycle at, const UnitUse& use) {
  const UnitDomains& units = of(use);
  check_entered(units.group_of(use.unit), at, units.domains_of(use.unit, use.lanes));
}

DomainSet preferred(const UnitDomains& units, DomainSet able, DomainSet given, LaneMask lanes) {
  DomainSet best = 0;
  std::tuple<bool, int, int, int> least;
  for (DomainSet rest = able; rest; rest &= rest - 1) {
    const int u = std::countr_zero(rest);
    const DomainGroup& domains = units.group_of(u);
    int gated = 0, uncompensated = 0, waking = 0;
    for (DomainSet needed = units.domains_of(u, lanes); needed; needed &= needed - 1) {
      const PowerState state = domains.domain(std::countr_zero(needed)).state;
      gated += is_gated(state);
      uncompensated += state == PowerState::uncompensated;
      waking += state == PowerState::wake_up;
    }
    const std::tuple rank{(given >> u & 1) != 0, gated, uncompensated, waking};
    if (!best || rank < least) best = 0, least = rank;
    if (rank == least) best |= DomainSet{1} << u;
  }
  return best;
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

}  // namespace heddle
