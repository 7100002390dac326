#include "models/sm/unit_demand.h"

namespace heddle {

void count_demand(UnitAvailability& units, std::size_t partition, const SchedulerPolicy& policy,
                  const SchedulerView& view, const LaneNeeds& lanes, int issue_width) {
  const WarpSet active = policy.active() & ~policy.leaving() & view.resident;
  const WarpSet wanting = (units.demand_in_order() ? policy.wanting(view) : policy.able(view)) & active;
  for (std::size_t u = 0; u < view.by_unit.size(); ++u) {
    if (u == static_cast<std::size_t>(isa::UnitClass::control)) continue;
    UnitDemand& demand = units.demand(partition, u);
    if (view.units[u].lanes && view.has_instruction)
      demand.spared = lanes.spared(partition, static_cast<isa::UnitClass>(u));
    const WarpSet warps = view.by_unit[u] & active;
    if (!warps) continue;
    demand.waiting += warps.count();
    demand.wanting += (warps & wanting).count();
    if (!view.units[u].lanes) continue;
    int slots = issue_width;
    for (const WarpSet some :
         {warps & wanting & view.unit_unavailable, warps & wanting & ~view.unit_unavailable})
      for (const WarpId warp : some)
        if (slots-- > 0) demand.lanes.add(lanes.of_head(warp));
  }
}

}  // namespace heddle
