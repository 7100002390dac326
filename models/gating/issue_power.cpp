#include "models/gating/issue_power.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "models/gating/dispatch_gate.h"
#include "models/gating/make_unit_availability.h"

namespace heddle {

IssuePower::IssuePower(const Wiring& w)
    : UnitAvailability(static_cast<std::size_t>(w.partitions)),
      domains_({w.gating, w.partitions, w.units->clusters, w.units->sfu_units, w.units->matrix.units,
                w.clock->every_cycle(), w.stats}),
      rule_(domains_.rule()),
      slots_(w.slots),
      clock_(w.clock),
      homes_(w.homes) {
  varies_ = domains_.gates();
  prefers_ = rule_ != nullptr;
  demand_in_order_ = w.gating->demand == "would-issue";
  for (std::size_t i = 0; i < own_cycles_.size(); ++i) {
    const auto parts = static_cast<std::size_t>(isa::OpTiming::count_);
    const auto c = static_cast<isa::OpClass>(i / parts);
    if (c == isa::OpClass::memory || c == isa::OpClass::control) continue;
    const OperationTiming timing = w.units->timing(c, static_cast<isa::OpTiming>(i % parts));
    own_cycles_[i] = static_cast<Cycle>(std::max(1, timing.latency_cycles - w.pipeline_overhead));
    if (c != isa::OpClass::sfu) own_cycles_[i] += static_cast<Cycle>(w.shift_cycles);
    interval_[i] = static_cast<Cycle>(timing.interval_cycles);
  }
  renew_units();
}

void IssuePower::renew_units() {
  changes_ = domains_.changes();
  for (std::size_t p = 0; p < partitions_.size(); ++p) partitions_[p].units = domains_.power(p);
}

void IssuePower::begin_kernel(Cycle cycle) {
  domains_.begin(cycle);
  renew_units();
  renew_next_change();
}

bool IssuePower::advance(Cycle now) {
  domains_.advance(now);
  const bool differs = changes_ != domains_.changes();
  if (differs) renew_units();
  renew_next_change();
  return differs;
}

void IssuePower::set_demand(Cycle now) {
  int ldst_waiting = 0, ldst_demand = 0;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    for (const isa::UnitClass unit :
         {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu, isa::UnitClass::matrix}) {
      if (!domains_.has(p, unit)) continue;
      UnitDemand& demand = partition.demand[static_cast<std::size_t>(unit)];
      UnitDomains& domains = domains_.of(p, unit);
      if (domains.in_parts()) {
        domains.set_inputs(now, demand.waiting, demand.lanes, demand.spared);
        demand.lanes.count = 0;
        demand.spared = 0;
      } else {
        domains.set_inputs(now, demand.waiting, std::min(demand.wanting, slots_));
      }
    }
    const UnitDemand& ldst = partition.demand[static_cast<std::size_t>(isa::UnitClass::ldst)];
    ldst_waiting += ldst.waiting;
    ldst_demand += std::min(ldst.wanting, slots_);
    for (UnitDemand& demand : partition.demand) demand.waiting = demand.wanting = 0;
  }
  domains_.of(0, isa::UnitClass::ldst).set_inputs(now, ldst_waiting, ldst_demand);
  renew_next_change();
}

void IssuePower::settle(Cycle cycle) {
  domains_.settle(cycle);
  renew_next_change();
}

std::unique_ptr<InstructionTap> IssuePower::tap(const std::string& prefix, std::size_t partition) {
  if (!rule_) return nullptr;
  return std::make_unique<DispatchGate>((prefix + "dispatch_gate").c_str(), *clock_, *rule_, partition);
}

namespace {

void check_gating(const GatingParameters& gating, const std::vector<ConfigNode>& constraints) {
  const auto blocks_gated = [](const ConfigNode& c) { return choice_name(c) == "unit-gated"; };
  if (std::any_of(constraints.begin(), constraints.end(), blocks_gated)) return;
  for (const DomainGroupParameters* unit : std::initializer_list<const DomainGroupParameters*>{
           &gating.int_, &gating.fp, &gating.sfu, &gating.ldst, &gating.matrix})
    if (choice_name(unit->policy) != "none")
      throw Error(unit->policy.where(), "a gating policy without the issue constraint \"unit-gated\"",
                  "policy none, or unit-gated in the list of constraints");
}

}  // namespace

MadeUnitAvailability make_unit_availability(const GatingParameters& parameters,
                                            const UnitAvailabilityContext& c) {
  check_gating(parameters, *c.constraints);
  auto power = std::make_unique<IssuePower>(IssuePower::Wiring{&parameters, c.units, c.partitions, c.slots,
                                                               c.pipeline_overhead, c.shift_cycles, c.clock,
                                                               c.homes, c.stats});
  PowerDomainsMaker& maker = power->domains();
  return {std::move(power), maker};
}

}  // namespace heddle
