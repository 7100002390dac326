#include "models/stages/subarray_power.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/registry.h"

namespace heddle {

SubarrayPower::SubarrayPower(PowerDomainsMaker* maker, const StatsScope& stats,
                             const std::vector<Availability>& banks, int subarrays,
                             const DomainGroupParameters& parameters)
    : banks_(&banks) {
  if (maker == nullptr || choice_name(parameters.policy) == "none") return;
  for (std::size_t b = 0; b < banks.size(); ++b)
    groups_.push_back(
        {&maker->make({fmt::format("bank{}", b), subarrays, DomainKind::parts, parameters, stats, &agenda_}),
         0, 0});
}

void SubarrayPower::begin_kernel() {
  for (Group& group : groups_) group.used = group.wanted = 0;
  wanting_ = 0;
}

void SubarrayPower::advance_groups(Cycle now) {
  agenda_.next = kNever;
  for (std::size_t b = 0; b < groups_.size(); ++b) {
    groups_[b].domains->advance(now);
    agenda_.next = std::min(agenda_.next, groups_[b].domains->next_change());
    if (const DomainSet lost = (*banks_)[b].occupied() & ~groups_[b].domains->awake())
      throw InternalError(
          fmt::format("cycle {}: subarrays {:b} of bank {} hold registers and are off", now, lost, b));
  }
}

void SubarrayPower::taken(Cycle now, std::size_t bank, DomainSet occupied) {
  if (!gates()) return;
  Group& group = groups_[bank];
  if (const DomainSet fresh = occupied & ~group.used) group.domains->use(now, fresh);
  if (const DomainSet empty = group.used & ~occupied) group.domains->left(now, empty);
  group.used = occupied;
}

void SubarrayPower::want(Cycle now, std::size_t bank, DomainSet subarray) {
  if (!gates() || groups_[bank].wanted == subarray) return;
  wanting_ += (subarray != 0) - (groups_[bank].wanted != 0);
  groups_[bank].wanted = subarray;
  groups_[bank].domains->set_inputs(now, {0, 0, subarray, 0});
}

bool SubarrayPower::any_woken() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const Group& g) { return (g.wanted & g.domains->awake()) != 0; });
}

Cycle SubarrayPower::next_change() const {
  Cycle next = kNever;
  if (wanting_ == 0) return next;
  for (const Group& group : groups_)
    if (group.wanted) next = std::min(next, group.domains->next_change());
  return next;
}

void SubarrayPower::show(const ProbeScope& scope) const {
  if (!gates()) return;
  const std::uint32_t subarrays = banks_->front().subarray_of(banks_->front().entries() - 1) + 1;
  Gauge power{"power", "power state of each subarray, a row a bank", Gauge::Form::states,
              groups_.size() * std::uint64_t{subarrays}};
  power.row = subarrays;
  power.states = {{"off", Gauge::Tone::off}, {"on", Gauge::Tone::active}};
  power.read = [this, subarrays](Cycle, std::vector<std::uint64_t>& values) {
    for (const Group& group : groups_)
      for (std::uint32_t s = 0; s < subarrays; ++s) values.push_back(group.domains->awake() >> s & 1);
  };
  scope.show(std::move(power));
}

}  // namespace heddle
