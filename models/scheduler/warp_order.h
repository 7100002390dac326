#pragma once

// Small searches that policies share.

#include <bit>
#include <span>

#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

/// First warp of `set` after `last` in slot order, wrapping; `set` must not be empty.
inline WarpId next_after(WarpSet set, WarpId last) {
  const WarpSet above = last.value >= 63 ? 0 : set & (~WarpSet{0} << (last.value + 1));
  return WarpId(static_cast<std::uint32_t>(std::countr_zero(above ? above : set)));
}

/// The warp of `set` that was placed first; `set` must not be empty.
inline WarpId oldest_of(WarpSet set, std::span<const WarpView> warps) {
  std::uint32_t best = static_cast<std::uint32_t>(std::countr_zero(set));
  for (WarpSet rest = set & (set - 1); rest; rest &= rest - 1) {
    const auto w = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (warps[w].age < warps[best].age) best = w;
  }
  return WarpId(best);
}

/// Adds `warp`, and once more if its next instruction may go along and the width allows.
inline void pick_warp(const SchedulerView& view, WarpId warp, int width, PickList& picks) {
  picks.add(warp);
  if (picks.size() < width && (view.ready_second & bit_of(warp))) picks.add(warp);
}

}  // namespace heddle
