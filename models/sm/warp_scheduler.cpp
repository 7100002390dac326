#include "models/sm/warp_scheduler.h"

#include <algorithm>

#include "models/core/registry.h"

namespace heddle {

WarpScheduler::WarpScheduler(const SmParameters& parameters, int number, const Readiness& readiness)
    : number_(number),
      partition_(parameters.homes().partition(SchedulerId(static_cast<std::uint32_t>(number)))) {
  const auto slots = static_cast<std::uint32_t>(parameters.max_warps);
  for (WarpId warp; warp.value < slots; ++warp.value)
    if (parameters.homes().scheduler(warp) == static_cast<std::uint32_t>(number)) mine_.add(warp);
  SchedulerContext context{parameters.max_warps, mine_, parameters.issue_width};
  policy_ = Registry<SchedulerPolicy>::instance().make(parameters.scheduler, context);
  pairs_ = parameters.issue_width > 1 && policy_->issues_pairs();
  constraint_.scheduler = number;
  constraint_.partition = static_cast<int>(partition_);
  constraint_.warps = view_.warps = readiness.views();
  constraint_.instructions = readiness.heads();
}

void WarpScheduler::set_units(const UnitViews& units) {
  rests_ = false;
  constraint_.units = view_.units = units;
  constraint_.all_take = std::all_of(units.begin(), units.end(),
                                     [](const UnitView& unit) { return unit.takes != 0 && !unit.lanes; });
}

void WarpScheduler::look_past_first(Readiness& readiness, const ConstraintChain& constraints,
                                    LaneNeeds& lanes) {
  if (!view_.ready) return;
  constraint_.slot = 1;
  constraint_.hazard = 0;
  const WarpSet candidates = readiness.pairs_among(view_.ready);
  ConstraintChain::Blocked behind;
  query(
      constraints, lanes, candidates, readiness.seconds(), [&] { return readiness.next_by_unit(candidates); },
      behind);
  view_.ready_second = candidates & ~behind.all;
}

bool WarpScheduler::still_passes(const ConstraintChain& constraints, const Readiness& readiness,
                                 const Pick& pick, bool second, WarpSet bound) {
  constraint_.bound = bound;
  constraint_.slot = second ? 1 : 0;
  constraint_.candidates = bit_of(pick.warp);
  constraint_.hazard = 0;
  constraint_.instructions = second ? readiness.seconds() : readiness.heads();
  constraint_.by_unit = {};
  constraint_.by_unit[static_cast<std::size_t>(constraint_.instructions[pick.warp.value]->unit)] =
      constraint_.candidates;
  return constraints.still_passes(constraint_);
}

std::size_t WarpScheduler::reason(const Readiness& readiness, int issued) const {
  const WarpSets& sets = readiness.sets();
  const auto number = [](StallReason reason) { return static_cast<std::size_t>(reason); };
  const WarpSet resident = sets.resident & mine_;
  if (issued > 0) return number(StallReason::no_pair);
  if (!resident) return number(StallReason::no_warp);
  if (view_.ready) return number(StallReason::inactive);
  if (blocked_.unit_unavailable) return number(StallReason::unit_unavailable);
  if (blocked_.own != 0) return blocked_.own;
  if (blocked_.structural) return number(StallReason::structural);
  if (sets.hazard & ~sets.long_wait & resident) return number(StallReason::dependence);
  if (const WarpSet waiting = sets.long_wait & resident)
    return number(readiness.any_waits_for_texture(waiting) ? StallReason::texture : StallReason::memory);
  const WarpSet waiting_long = sets.at_barrier | sets.at_fence | sets.at_async;
  if (resident & ~sets.has_instruction & ~waiting_long) return number(StallReason::fetch);
  if (!(resident & waiting_long)) return number(StallReason::dependence);
  if (sets.at_async & resident) return number(StallReason::async);
  return number(sets.at_barrier & resident ? StallReason::barrier : StallReason::fence);
}

}  // namespace heddle
