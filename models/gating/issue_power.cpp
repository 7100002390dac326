#include "models/gating/issue_power.h"

#include <algorithm>

namespace heddle {

IssuePower::IssuePower(const Wiring& w)
    : domains_(*w.domains),
      rule_(domains_.rule()),
      slots_(w.slots),
      ruled_(rule_ != nullptr),
      gates_(domains_.gates()),
      would_issue_(w.gating->demand == "would-issue") {
  for (std::size_t i = 0; i < own_cycles_.size(); ++i) {
    const auto c = static_cast<isa::OpClass>(i);
    if (c == isa::OpClass::memory || c == isa::OpClass::control) continue;
    const OperationTiming timing = w.units->timing(c);
    own_cycles_[i] = static_cast<Cycle>(std::max(1, timing.latency_cycles - w.pipeline_overhead));
    if (c != isa::OpClass::sfu) own_cycles_[i] += static_cast<Cycle>(w.shift_cycles);
    interval_[i] = static_cast<Cycle>(timing.interval_cycles);
  }
  for (int p = 0; p < w.partitions; ++p) {
    partitions_.emplace_back(*w.units);
    partitions_.back().units = domains_.power(static_cast<std::size_t>(p));
  }
}

void IssuePower::refuse_bind() {
  throw InternalError("an instruction issues to lanes that no unit has awake, nor may wake for it");
}

int IssuePower::bind_by_rule(Cycle now, std::size_t partition, isa::UnitClass unit, isa::OpClass op_class,
                             int cluster, LaneMask lanes, int passes) {
  UnitDomains& domains = domains_.of(partition, unit);
  if (unit == isa::UnitClass::ldst) {
    domains.use(now, 0, lanes);
    return -1;
  }
  const auto c = static_cast<std::size_t>(op_class);
  ClusterChoice& clusters = partitions_[partition].clusters;
  UnitUse use{partition, unit, lanes, cluster};
  if (cluster < 0) use.unit = clusters.choose(unit, rule_->choices(now, use, domains.able(lanes)));
  if (use.unit < 0) refuse_bind();
  domains.use(now, use.unit, lanes, own_cycles_[c] + static_cast<Cycle>(passes - 1) * interval_[c]);
  rule_->issued(now, use);
  clusters.issued(unit, use.unit);
  return use.unit;
}

void IssuePower::enter_by_rule(Cycle now, const UnitUse& use) { rule_->entered(now - 1, use); }

bool IssuePower::begin_cycle(Cycle now) {
  if (!gates_) return false;
  domains_.advance(now);
  if (changes_ == domains_.changes()) return false;
  changes_ = domains_.changes();
  for (std::size_t p = 0; p < partitions_.size(); ++p) partitions_[p].units = domains_.power(p);
  return true;
}

void IssuePower::set_inputs(Cycle now) {
  int ldst_waiting = 0, ldst_demand = 0;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    for (const isa::UnitClass unit : {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu}) {
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
}

}  // namespace heddle
