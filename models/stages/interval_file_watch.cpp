// Observers of the moves of the first warps: what they see, and what they may replace (MovePoint).

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/stages/interval_file.h"

namespace heddle {

void IntervalFile::probes(const ProbeScope& scope) {
  while (watched_.size() < std::min(kWatchedWarps, warps_.size()))
    watched_.push_back(std::make_unique<Probe<MovePoint>>(owner_));
  for (std::size_t warp = 0; warp < watched_.size(); ++warp)
    scope.part("warp" + std::to_string(warp)).add(*watched_[warp]);
}

MovePoint::View IntervalFile::seen(WarpId warp, const RegisterSet& set, const RegisterSet& live) {
  MovePoint::View view{.held = held(warp), .live = live, .set = set};
  for (const Entry& entry : of(warp).entries)
    if (entry.dirty) view.dirty.set(entry.reg.value);
  return view;
}

/// Returns the lowest of the banks' next registers.
std::uint32_t IntervalFile::seen_next(WarpId warp, const RegisterSet& set, const RegisterSet& live) {
  MovePoint::View view = seen(warp, set, live);
  view.enters = true;
  MovePoint::Answer answer;
  set.without(view.held).for_each([&](std::uint32_t reg) {
    const std::uint32_t bank = reg % MovePoint::kBanks;
    if (answer.valid[bank]) return;
    answer.valid[bank] = true;
    answer.reads[bank] = live.test(reg);
    answer.next[bank] = static_cast<std::uint8_t>(reg);
  });
  watched(warp)->answered(view, answer);
  std::uint32_t lowest = RegisterSet{}.bits.size() * 64;
  for (std::size_t bank = 0; bank < answer.next.size(); ++bank)
    if (answer.valid[bank]) lowest = std::min<std::uint32_t>(lowest, answer.next[bank]);
  if (lowest == RegisterSet{}.bits.size() * 64 || !set.without(view.held).test(lowest))
    throw InternalError(fmt::format("{}: no register of warp {}'s interval comes in", name(), warp.value));
  return lowest;
}

}  // namespace heddle
