// How scheduling and the power domains of the units agree: an instruction is bound to an awake unit when it
// issues, and the gating policies hear in every cycle what waits for their units.

#include <bit>

#include "models/sm/issue_stage.h"

namespace heddle {

void IssueStage::begin_power_cycle() {
  if (!power_.gates()) return;
  power_.advance(now());
  if (power_changes_ == power_.changes()) return;
  power_changes_ = power_.changes();
  for (std::size_t p = 0; p < partitions_.size(); ++p) partitions_[p].power = power_.power(p);
}

// Warps that hold an active slot, and keep it, by the unit class of their next instruction: all of them, and
// those that could issue but for the gating.
void IssueStage::count_power_inputs(const Scheduler& scheduler, const SchedulerView& view) {
  if (!power_.gates()) return;
  Partition& partition = partitions_[scheduler.partition];
  const WarpSet active = scheduler.policy->active() & ~scheduler.policy->leaving() & view.resident;
  const WarpSet wanting = scheduler.policy->wanting(view) & active;
  for (std::size_t u = 0; u + 1 < view.by_unit.size(); ++u) {
    const WarpSet warps = view.by_unit[u] & active;
    if (!warps) continue;
    partition.waiting[u] += warps.count();
    partition.demand[u] += (warps & wanting).count();
  }
}

void IssueStage::end_power_cycle() {
  if (!power_.gates()) return;
  set_power_inputs();
  const Cycle change = power_.next_change();
  if (change != kNever) clock().tick_at(change);
}

void IssueStage::set_power_inputs() {
  const int slots = parameters_.issue_width * parameters_.schedulers_per_partition;
  int ldst_waiting = 0, ldst_demand = 0;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    for (const isa::UnitClass unit : {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu}) {
      const auto u = static_cast<std::size_t>(unit);
      power_.of(p, unit).set_inputs(now(), partition.waiting[u], std::min(partition.demand[u], slots));
    }
    const auto ldst = static_cast<std::size_t>(isa::UnitClass::ldst);
    ldst_waiting += partition.waiting[ldst];
    ldst_demand += std::min(partition.demand[ldst], slots);
    partition.waiting = partition.demand = {};
  }
  power_.of(0, isa::UnitClass::ldst).set_inputs(now(), ldst_waiting, ldst_demand);
}

std::array<WarpSet, 5> IssueStage::next_by_unit(WarpSet warps) const {
  std::array<WarpSet, 5> sets{};
  for (const WarpId warp : warps) {
    const std::uint32_t pc = buffers_.of(warp).peek(1).pc;
    sets[static_cast<std::size_t>(warps_[warp.value].kernel->footprint(pc).unit)].add(warp);
  }
  return sets;
}

// The unit that will execute the instruction; its power domain is in use from here on.
int IssueStage::bind(Partition& partition, DomainGroup& domains, isa::UnitClass unit, int cluster) {
  if (unit == isa::UnitClass::ldst) {
    domains.use(now(), 0);
    return -1;
  }
  if (cluster < 0) cluster = partition.clusters.choose(unit, domains.awake());
  domains.use(now(), cluster);
  partition.clusters.issued(unit, cluster);
  return cluster;
}

}  // namespace heddle
