#pragma once

// Small searches that policies share.

#include <span>

#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

/// First warp of `set` after `last` in slot order, wrapping; `set` must not be empty.
inline WarpId next_after(WarpSet set, WarpId last) {
  const WarpSet above = set.after(last);
  return (above ? above : set).first();
}

/// The warp of `set` that was placed first; `set` must not be empty.
inline WarpId oldest_of(WarpSet set, std::span<const WarpView> warps) {
  WarpId best = set.first();
  for (const WarpId warp : set.without_first())
    if (warps[warp.value].age < warps[best.value].age) best = warp;
  return best;
}

/// Adds `warp`, and once more if its next instruction may go along and the width allows.
inline void pick_warp(const SchedulerView& view, WarpId warp, int width, PickList& picks) {
  picks.add(warp);
  if (picks.size() < width && view.ready_second.contains(warp)) picks.add(warp);
}

/// The warps of a list.
inline WarpSet warps_of(const PickList& picks) {
  WarpSet warps = 0;
  for (const Pick& pick : picks) warps.add(pick.warp);
  return warps;
}

/// SchedulerPolicy::wanting of a policy that picks by pick(order, warps, view, picks), which moves on `order`:
/// what it would pick with the order as it stands among `ready` and the warps that no unit takes.
template <class Policy, class Order>
WarpSet would_pick(const Policy& policy, Order order, WarpSet ready, const SchedulerView& view) {
  PickList picks;
  policy.pick(order, ready, view, picks);
  return warps_of(picks);
}

}  // namespace heddle
