#include "models/gating/unit_domains.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace heddle {

UnitDomains::UnitDomains(const Wiring& w)
    : name_(w.name),
      units_(w.units),
      own_time_(w.own_time),
      parts_(w.parts),
      single_lanes_(w.parts.size() == kLanes),
      wanted_(static_cast<std::size_t>(w.units)) {
  const auto add = [&](const DomainGroupWiring& wiring) {
    groups_.push_back(w.make ? w.make(wiring) : std::make_unique<DomainGroup>(wiring));
  };
  if (!in_parts()) {
    add({name_, units_, w.parameters, w.every_cycle, w.stats, DomainKind::alternatives, w.agenda});
    whole_ = groups_.front().get();
    return;
  }
  const int parts = static_cast<int>(parts_.size());
  for (int u = 0; u < units_; ++u)
    add({w.parts_name, parts, w.parameters, w.every_cycle, w.stats.scope(fmt::format("{}{}", name_, u)),
         DomainKind::parts, w.agenda});
  lanes_awake_.assign(static_cast<std::size_t>(units_), kAllLanes);
  lanes_taking_ = lanes_awake_;
}

void UnitDomains::begin(Cycle cycle) {
  for (auto& group : groups_) group->begin(cycle);
}

Cycle UnitDomains::next_change() const {
  Cycle next = kNever;
  for (const auto& group : groups_) next = std::min(next, group->next_change());
  return next;
}

void UnitDomains::settle(Cycle cycle) {
  for (auto& group : groups_) group->settle(cycle);
}

void UnitDomains::check_conservation() const {
  for (const auto& group : groups_) group->check_conservation();
}

UnitView UnitDomains::power() {
  if (!in_parts()) {
    const DomainGroup& group = *groups_.front();
    return {group.all(), group.takes(), group.gated(), nullptr};
  }
  UnitView power;
  for (int u = 0; u < units_; ++u) {
    const DomainSet bit = DomainSet{1} << u;
    power.all |= bit;
    if (group(u).takes()) power.takes |= bit;
    if (group(u).gated() == group(u).all()) power.off |= bit;
    lanes_awake_[static_cast<std::size_t>(u)] = lanes_of(group(u).awake());
    lanes_taking_[static_cast<std::size_t>(u)] = lanes_of(group(u).takes());
  }
  if (!never_gates()) power.lanes = lanes_taking_.data();
  return power;
}

DomainSet UnitDomains::able_in_parts(LaneMask lanes) const {
  const DomainSet needed = parts_of(lanes);
  DomainSet able = 0;
  for (int u = 0; u < units_; ++u)
    if (!(needed & ~group(u).takes())) able |= DomainSet{1} << u;
  return able;
}

LaneMask UnitDomains::lanes_of(DomainSet parts) const {
  if (single_lanes_) return parts;
  LaneMask lanes = 0;
  for (; parts; parts &= parts - 1) lanes |= parts_[static_cast<std::size_t>(std::countr_zero(parts))];
  return lanes;
}

void UnitDomains::set_inputs(Cycle now, int waiting, const LaneDemand& demand, LaneMask spared) {
  const DomainSet unneeded = spared == 0 ? 0 : parts_of(spared) & ~parts_of(~spared);
  if (demand.count == 0) {
    for (auto& group : groups_) group->set_inputs(now, {waiting, 0, 0, unneeded});
    return;
  }
  std::fill(wanted_.begin(), wanted_.end(), 0);
  DomainSet taken = 0;
  std::uint32_t served = 0;
  for (int i = 0; i < demand.count; ++i) {
    const LaneMask lanes = demand.lanes[static_cast<std::size_t>(i)];
    if (able_in_parts(lanes) != 0)
      served |= 1u << i;
    else
      want(parts_of(lanes), taken, wanted_);
  }
  for (; served; served &= served - 1)
    want(parts_of(demand.lanes[static_cast<std::size_t>(std::countr_zero(served))]), taken, wanted_);
  for (int u = 0; u < units_; ++u)
    group(u).set_inputs(now, {waiting, demand.count, wanted_[static_cast<std::size_t>(u)], unneeded});
}

void UnitDomains::want(DomainSet needed, DomainSet& taken, std::vector<DomainSet>& wanted) const {
  int best = -1, fewest = 33;
  for (int u = 0; u < units_; ++u) {
    const int missing = std::popcount(needed & group(u).gated());
    if ((taken >> u & 1) || missing >= fewest) continue;
    best = u;
    fewest = missing;
  }
  if (best < 0) return;
  taken |= DomainSet{1} << best;
  wanted[static_cast<std::size_t>(best)] = needed;
}

}  // namespace heddle
