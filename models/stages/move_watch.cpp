#include "models/stages/move_watch.h"

#include <algorithm>
#include <string>

namespace heddle {

MoveWatch::MoveWatch(std::size_t warps) {
  while (points_.size() < std::min(kWarps, warps)) points_.emplace_back(owner_);
}

void MoveWatch::probes(const ProbeScope& scope) {
  for (std::size_t warp = 0; warp < points_.size(); ++warp)
    scope.part("warp" + std::to_string(warp)).add(points_[warp]);
}

void MoveWatch::leaves(WarpId warp, const MovePoint::View& view, MovePoint::Answer& answer) const {
  if (watches(warp)) points_[warp.value].answered(view, answer);
}

std::optional<std::uint32_t> MoveWatch::next(WarpId warp, MovePoint::View view) const {
  view.enters = true;
  const RegisterSet missing = view.set.without(view.held);
  MovePoint::Answer answer;
  missing.for_each([&](std::uint32_t reg) {
    const std::uint32_t bank = reg % MovePoint::kBanks;
    if (answer.valid[bank]) return;
    answer.valid[bank] = true;
    answer.reads[bank] = view.live.test(reg);
    answer.next[bank] = static_cast<std::uint8_t>(reg);
  });
  points_[warp.value].answered(view, answer);
  std::optional<std::uint32_t> lowest;
  for (std::size_t bank = 0; bank < answer.next.size(); ++bank)
    if (answer.valid[bank] && (!lowest || answer.next[bank] < *lowest)) lowest = answer.next[bank];
  return lowest && missing.test(*lowest) ? lowest : std::nullopt;
}

}  // namespace heddle
