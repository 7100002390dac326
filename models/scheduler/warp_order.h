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

}  // namespace heddle
