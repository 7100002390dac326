#include "models/gating/sm_power_domains.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "models/exec/lane_fold.h"
#include "models/gating/issue_wakes.h"

namespace heddle {
namespace {

struct Granularity {
  const char* name;
  const char* parts_name;
  std::vector<LaneMask> parts;
};

std::vector<LaneMask> single_lanes() {
  std::vector<LaneMask> lanes;
  for (int i = 0; i < kLanes; ++i) lanes.push_back(LaneMask{1} << i);
  return lanes;
}

const std::vector<Granularity>& granularities() {
  static const std::vector<Granularity> all = {{"unit", "", {}},
                                               {"half", "halves", {0x0000ffffu, 0xffff0000u}},
                                               {"quad-half", "quad_halves", {kLowerOfQuads, kUpperOfQuads}},
                                               {"lane", "lanes", single_lanes()}};
  return all;
}

const Granularity& granularity_of(const PipelineGatingParameters& parameters) {
  for (const Granularity& g : granularities())
    if (parameters.granularity == g.name) return g;
  throw InternalError("gating granularity " + parameters.granularity);
}

bool own_time(const PipelineGatingParameters& parameters) { return parameters.idle_from == "own-time"; }

}  // namespace

SmPowerDomains::SmPowerDomains(const Wiring& w)
    : by_class_(static_cast<std::size_t>(w.partitions)), every_cycle_(w.every_cycle) {
  bool issue_wakes = false;
  const auto build = [&](const char* name, int units, const UnitGatingParameters& parameters,
                         const Granularity& granularity, bool own_time, const StatsScope& stats) {
    UnitDomains::Wiring wiring{
        name, units, parameters, granularity.parts, own_time, granularity.parts_name, w.every_cycle, stats};
    if (parameters.issue_wakes()) wiring.make = make_waking_group;
    wiring.agenda = &agenda_;
    units_.push_back(std::make_unique<UnitDomains>(wiring));
    gates_ |= !units_.back()->never_gates();
    issue_wakes |= units_.back()->takes_asleep();
    in_parts_ |= units_.back()->in_parts() && !units_.back()->never_gates();
    return units_.back().get();
  };
  const GatingParameters& p = *w.parameters;
  const Granularity& whole = granularities().front();
  UnitDomains* ldst = build("ldst", 1, p.ldst, whole, false, w.stats.scope("gating"));
  for (std::size_t i = 0; i < by_class_.size(); ++i) {
    const StatsScope stats = w.stats.scope(fmt::format("partition{}.gating", i));
    auto& classes = by_class_[i];
    classes[static_cast<std::size_t>(isa::UnitClass::int_)] =
        build("int", w.clusters, p.int_, granularity_of(p.int_), own_time(p.int_), stats);
    classes[static_cast<std::size_t>(isa::UnitClass::fp)] =
        build("fp", w.clusters, p.fp, granularity_of(p.fp), own_time(p.fp), stats);
    classes[static_cast<std::size_t>(isa::UnitClass::sfu)] =
        build("sfu", w.sfu_units, p.sfu, whole, false, stats);
    classes[static_cast<std::size_t>(isa::UnitClass::ldst)] = ldst;
    if (w.matrix_units > 0)
      classes[static_cast<std::size_t>(isa::UnitClass::matrix)] =
          build("matrix", w.matrix_units, p.matrix, whole, false, stats);
  }
  if (issue_wakes) rule_ = std::make_unique<IssueWakes>(by_class_);
}

PowerDomains& SmPowerDomains::make(const PowerDomainsRequest& r) {
  others_.push_back(std::make_unique<DomainGroup>(
      DomainGroup::Wiring{r.name, r.domains, r.parameters, every_cycle_, r.stats, r.kind, r.agenda}));
  return *others_.back();
}

void SmPowerDomains::begin(Cycle cycle) {
  for (auto& units : units_) units->begin(cycle);
  for (auto& group : others_) group->begin(cycle);
}

void SmPowerDomains::advance_groups(Cycle now) {
  for (auto& units : units_) units->advance(now);
  renew_agenda();
}

void SmPowerDomains::renew_agenda() {
  agenda_.next = kNever;
  for (const auto& units : units_) agenda_.next = std::min(agenda_.next, units->next_change());
}

Cycle SmPowerDomains::longest_wait_for_parts() const {
  Cycle longest = 0;
  for (const auto& units : units_)
    if (units->lanes_awake() && !units->takes_asleep())
      for (const auto& group : units->groups())
        longest = std::max(longest, group->policy().longest_wait_cycles() +
                                        static_cast<Cycle>(group->wiring().parameters.wake_up_cycles));
  return longest;
}

void SmPowerDomains::settle(Cycle cycle) {
  for (auto& units : units_) units->settle(cycle);
  renew_agenda();
  for (auto& group : others_) group->settle(cycle);
}

void SmPowerDomains::check_conservation() const {
  for (const auto& units : units_) units->check_conservation();
  for (const auto& group : others_) group->check_conservation();
}

UnitViews SmPowerDomains::power(std::size_t partition) {
  UnitViews power;
  power.fill({1, 1, 0, nullptr});
  for (std::size_t u = 0; u < power.size(); ++u)
    if (UnitDomains* units = by_class_[partition][u]) power[u] = units->power();
  return power;
}

namespace {

void show_power(const DomainGroup& group, int first, int count, const ProbeScope& scope) {
  using Tone = Gauge::Tone;
  if (group.policy().never_gates()) return;
  Gauge power{"power", "power state", Gauge::Form::states, static_cast<std::uint64_t>(count)};
  for (const auto& [state, tone] :
       {std::pair{PowerState::on, Tone::active}, std::pair{PowerState::uncompensated, Tone::off},
        std::pair{PowerState::compensated, Tone::off}, std::pair{PowerState::wake_up, Tone::changing}})
    power.states.push_back({name_of(state), tone});
  power.read = [&group, first, count](Cycle, std::vector<std::uint64_t>& values) {
    for (int d = first; d < first + count; ++d)
      values.push_back(static_cast<std::uint64_t>(group.domain(d).state));
  };
  scope.show(std::move(power));
}

// Makes the power state of each unit visible to observers, under the unit's path.
void show_power(const UnitDomains& units, const ProbeScope& owner) {
  for (int u = 0; u < units.units(); ++u) {
    const ProbeScope unit = owner.part(fmt::format("{}{}", units.name(), u));
    const DomainGroup& group = units.group_of(u);
    if (units.in_parts())
      show_power(group, 0, group.wiring().domains, unit);
    else
      show_power(group, u, 1, unit);
  }
}

}  // namespace

void SmPowerDomains::probes(const ProbeScope& scope) {
  const auto add_probes = [](const UnitDomains& units, const ProbeScope& owner) {
    for (std::size_t i = 0; i < units.groups().size(); ++i) {
      DomainGroup& group = *units.groups()[i];
      const std::string what = fmt::format("{} domains (gating policy {})", group.wiring().name,
                                           choice_name(group.wiring().parameters.policy));
      if (units.in_parts())
        group.probes(owner.part(fmt::format("{}{}", units.name(), i)).part(group.wiring().name, what));
      else
        group.probes(owner.part(units.name(), what));
    }
  };
  add_probes(of(0, isa::UnitClass::ldst), scope);
  show_power(*of(0, isa::UnitClass::ldst).groups().front(), 0, 1, scope.part("load_store"));
  for (std::size_t p = 0; p < by_class_.size(); ++p)
    for (const isa::UnitClass unit :
         {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu, isa::UnitClass::matrix})
      if (has(p, unit)) {
        const ProbeScope partition = scope.part(fmt::format("partition{}", p));
        add_probes(of(p, unit), partition);
        show_power(of(p, unit), partition);
      }
}

}  // namespace heddle
