// How scheduling and the power domains of the units agree: an instruction is bound to an awake unit when it
// issues, and the gating policies hear in every cycle what waits for their units.

#include <bit>

#include "models/core/error.h"
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
    if (!view.units[u].lanes_awake) continue;
    // Those that wait for lanes come first; no scheduler asks for more than it can issue.
    int slots = parameters_.issue_width;
    for (const WarpSet some : {warps & wanting & view.gated, warps & wanting & ~view.gated})
      for (const WarpId warp : some)
        if (slots-- > 0) partition.lane_demand[u].add(lanes_needed_[0][warp.value]);
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
      UnitDomains& domains = power_.of(p, unit);
      if (domains.in_parts()) {
        domains.set_inputs(now(), partition.waiting[u], partition.lane_demand[u]);
        partition.lane_demand[u].count = 0;
      } else {
        domains.set_inputs(now(), partition.waiting[u], std::min(partition.demand[u], slots));
      }
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

// Lanes that the candidates' instructions would use, where units are gated in parts. Planned for the threads on the
// path: a guard may leave fewer of them, which need no other lanes.
void IssueStage::note_lanes(ConstraintView& view, const Scheduler& scheduler) {
  if (!power_.in_parts()) return;
  std::vector<LaneMask>& needed = lanes_needed_[static_cast<std::size_t>(view.slot)];
  needed.resize(warps_.size());
  for (std::size_t u = 0; u < view.units.size(); ++u) {
    if (!view.units[u].lanes_awake) continue;
    for (const WarpId id : view.candidates & view.by_unit[u]) {
      const WarpState& warp = warps_[id.value];
      const std::uint32_t pc = buffers_.of(id).peek(static_cast<std::size_t>(view.slot)).pc;
      LanePlan storage;
      const LaneMask active = warp.simt.active();
      const LanePlan* plan = plan_lanes(scheduler.partition, warp.kernel->footprint(pc), active, storage);
      needed[id.value] = plan ? plan->lanes() : active;
    }
  }
  view.lanes = needed;
}

const LanePlan* IssueStage::plan_lanes(std::size_t partition, const InstructionFootprint& footprint,
                                       LaneMask threads, LanePlan& storage) const {
  if (!planner_ || !may_move_lanes(footprint.unit, footprint.op_class)) return nullptr;
  const LanePlan* plan =
      planner_->plan({now(), partition, footprint.unit, footprint.op_class, threads}, storage);
  if (plan && !plan->serves(threads)) throw InternalError("a lane plan does not serve its threads once each");
  return plan;
}

// The unit that will execute the instruction; the domains of the lanes it needs are in use from here on.
int IssueStage::bind(Partition& partition, UnitDomains& domains, isa::UnitClass unit, int cluster,
                     LaneMask lanes) {
  if (unit == isa::UnitClass::ldst) {
    domains.use(now(), 0, lanes);
    return -1;
  }
  if (cluster < 0) cluster = partition.clusters.choose(unit, domains.able(lanes));
  domains.use(now(), cluster, lanes);
  partition.clusters.issued(unit, cluster);
  return cluster;
}

}  // namespace heddle
