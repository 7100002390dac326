#include "models/sm/issue_power.h"

#include <algorithm>

namespace heddle {

IssuePower::IssuePower(SmPowerDomains& domains, const SmParameters& parameters, int pipeline_overhead)
    : domains_(domains),
      rule_(domains.rule()),
      issue_width_(parameters.issue_width),
      slots_(parameters.issue_width * parameters.schedulers_per_partition),
      gates_(domains.gates()),
      would_issue_(parameters.gating.demand == "would-issue") {
  const int shifting = parameters.folding.moves_threads() ? parameters.folding.extra_cycles : 0;
  for (std::size_t i = 0; i < own_cycles_.size(); ++i) {
    const auto c = static_cast<isa::OpClass>(i);
    if (c == isa::OpClass::memory || c == isa::OpClass::control) continue;
    const OperationTiming timing = parameters.units.timing(c);
    own_cycles_[i] = static_cast<Cycle>(std::max(1, timing.latency_cycles - pipeline_overhead));
    if (c != isa::OpClass::sfu) own_cycles_[i] += static_cast<Cycle>(shifting);
    interval_[i] = static_cast<Cycle>(timing.interval_cycles);
  }
  for (int p = 0; p < parameters.partitions; ++p) {
    partitions_.emplace_back(parameters.units);
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

bool IssuePower::begin_cycle(Cycle now) {
  if (!gates_) return false;
  domains_.advance(now);
  if (changes_ == domains_.changes()) return false;
  changes_ = domains_.changes();
  for (std::size_t p = 0; p < partitions_.size(); ++p) partitions_[p].units = domains_.power(p);
  return true;
}

// Warps that hold an active slot, and keep it, by the unit class of their next instruction: all of them, and
// those that could issue but for the gating.
void IssuePower::count(std::size_t p, const SchedulerPolicy& policy, const SchedulerView& view,
                       const LaneNeeds& lanes) {
  Partition& partition = partitions_[p];
  const WarpSet active = policy.active() & ~policy.leaving() & view.resident;
  const WarpSet wanting = (would_issue_ ? policy.wanting(view) : policy.able(view)) & active;
  for (std::size_t u = 0; u + 1 < view.by_unit.size(); ++u) {
    if (view.units[u].lanes && view.has_instruction)
      partition.spared[u] = lanes.spared(p, static_cast<isa::UnitClass>(u));
    const WarpSet warps = view.by_unit[u] & active;
    if (!warps) continue;
    partition.waiting[u] += warps.count();
    partition.demand[u] += (warps & wanting).count();
    if (!view.units[u].lanes) continue;
    // Those that wait for lanes come first; no scheduler asks for more than it can issue.
    int slots = issue_width_;
    for (const WarpSet some : {warps & wanting & view.gated, warps & wanting & ~view.gated})
      for (const WarpId warp : some)
        if (slots-- > 0) partition.lane_demand[u].add(lanes.of_head(warp));
  }
}

void IssuePower::set_inputs(Cycle now) {
  int ldst_waiting = 0, ldst_demand = 0;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    for (const isa::UnitClass unit : {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu}) {
      const auto u = static_cast<std::size_t>(unit);
      UnitDomains& domains = domains_.of(p, unit);
      if (domains.in_parts()) {
        domains.set_inputs(now, partition.waiting[u], partition.lane_demand[u], partition.spared[u]);
        partition.lane_demand[u].count = 0;
        partition.spared[u] = 0;
      } else {
        domains.set_inputs(now, partition.waiting[u], std::min(partition.demand[u], slots_));
      }
    }
    const auto ldst = static_cast<std::size_t>(isa::UnitClass::ldst);
    ldst_waiting += partition.waiting[ldst];
    ldst_demand += std::min(partition.demand[ldst], slots_);
    partition.waiting = partition.demand = {};
  }
  domains_.of(0, isa::UnitClass::ldst).set_inputs(now, ldst_waiting, ldst_demand);
}

}  // namespace heddle
