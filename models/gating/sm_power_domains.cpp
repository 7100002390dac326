#include "models/gating/sm_power_domains.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

SmPowerDomains::SmPowerDomains(const Wiring& w) : by_class_(static_cast<std::size_t>(w.partitions)) {
  const auto build = [&](const char* name, int domains, const UnitGatingParameters& parameters,
                         const StatsScope& stats) {
    groups_.push_back(
        std::make_unique<DomainGroup>(DomainGroup::Wiring{name, domains, parameters, w.every_cycle, stats}));
    gates_ |= !groups_.back()->policy().never_gates();
    return groups_.back().get();
  };
  DomainGroup* ldst = build("ldst", 1, w.parameters->ldst, w.stats.scope("gating"));
  for (std::size_t p = 0; p < by_class_.size(); ++p) {
    const StatsScope stats = w.stats.scope(fmt::format("partition{}.gating", p));
    auto& classes = by_class_[p];
    classes[static_cast<std::size_t>(isa::UnitClass::int_)] =
        build("int", w.clusters, w.parameters->int_, stats);
    classes[static_cast<std::size_t>(isa::UnitClass::fp)] = build("fp", w.clusters, w.parameters->fp, stats);
    classes[static_cast<std::size_t>(isa::UnitClass::sfu)] =
        build("sfu", w.sfu_units, w.parameters->sfu, stats);
    classes[static_cast<std::size_t>(isa::UnitClass::ldst)] = ldst;
  }
}

void SmPowerDomains::begin(Cycle cycle) {
  for (auto& group : groups_) group->begin(cycle);
}

Cycle SmPowerDomains::next_change() const {
  Cycle next = kNever;
  for (const auto& group : groups_) next = std::min(next, group->next_change());
  return next;
}

void SmPowerDomains::settle(Cycle cycle) {
  for (auto& group : groups_) group->settle(cycle);
}

void SmPowerDomains::check_conservation() const {
  for (const auto& group : groups_) group->check_conservation();
}

std::array<UnitPower, 5> SmPowerDomains::power(std::size_t partition) const {
  std::array<UnitPower, 5> power;
  power.fill({1, 1, 0});
  for (std::size_t u = 0; u < power.size(); ++u)
    if (const DomainGroup* group = by_class_[partition][u]) power[u] = group->power();
  return power;
}

}  // namespace heddle
