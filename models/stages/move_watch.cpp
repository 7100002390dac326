#include "models/stages/move_watch.h"

namespace heddle {

void MoveWatch::leaves(WarpId warp, const MovePoint::View& view, MovePoint::Answer& answer) const {
  if (const auto* const point = points_.observed(warp)) point->answered(view, answer);
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
  points_.observed(warp)->answered(view, answer);
  std::optional<std::uint32_t> lowest;
  for (std::size_t bank = 0; bank < answer.next.size(); ++bank)
    if (answer.valid[bank] && (!lowest || answer.next[bank] < *lowest)) lowest = answer.next[bank];
  return lowest && missing.test(*lowest) ? lowest : std::nullopt;
}

}  // namespace heddle
