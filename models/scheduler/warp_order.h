#pragma once

// Searches warp sets by slot order or by age. Several scheduler policies use these functions.

#include <span>

#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

inline WarpId next_after(WarpSet set, WarpId last) {
  const WarpSet above = set.after(last);
  return (above ? above : set).first();
}

inline WarpId oldest_of(WarpSet set, std::span<const WarpView> warps) {
  WarpId best = set.first();
  for (const WarpId warp : set.without_first())
    if (warps[warp.value].age < warps[best.value].age) best = warp;
  return best;
}

/// Picks the next instruction of `warp`, and also the instruction after it if both can issue in one cycle.
inline void pick_warp(const SchedulerView& view, WarpId warp, int width, PickList& picks) {
  picks.add(warp);
  if (picks.size() < width && view.ready_second.contains(warp)) picks.add(warp);
}

inline WarpSet warps_of(const PickList& picks) {
  WarpSet warps = 0;
  for (const Pick& pick : picks) warps.add(pick.warp);
  return warps;
}

/// Returns the warps that policy.pick(order, ready, view, picks) would choose from `ready`. Policies compute
/// SchedulerPolicy::wanting() with this function: `ready` then also contains warps whose unit accepts no
/// instruction.
template <class Policy, class Order>
WarpSet would_pick(const Policy& policy, Order order, WarpSet ready, const SchedulerView& view) {
  PickList picks;
  policy.pick(order, ready, view, picks);
  return warps_of(picks);
}

}  // namespace heddle
