#include "models/sm/switched_out_warps.h"

namespace heddle {

std::optional<std::pair<WarpId, std::uint32_t>> SwitchedOutWarps::next_owed() {
  if (owed_.empty()) return std::nullopt;
  const auto owed = owed_.back();
  owed_.pop_back();
  return owed;
}

bool SwitchedOutWarps::at_barrier(WarpId warp) const {
  const WarpWait wait = warps_.progress(warp).wait;
  return (wait == WarpWait::switched_out ? after_[warp.value].wait : wait) == WarpWait::barrier;
}

bool SwitchedOutWarps::quiet(WarpId warp) const {
  return warps_.progress(warp).in_flight == 0 && !warps_.scoreboard(warp).any_pending();
}

void SwitchedOutWarps::switch_out(WarpId warp) {
  WarpProgress& progress = warps_.progress(warp);
  switched_out_.add(warp);
  after_[warp.value] = {progress.wait, std::nullopt};
  progress.wait = WarpWait::switched_out;
  progress.waits_for_long = false;
}

void SwitchedOutWarps::switch_in(WarpId warp) {
  const After& after = after_[warp.value];
  switched_out_.remove(warp);
  buffers_.resume(warp);
  warps_.progress(warp).wait = after.wait;
  if (after.votes) owed_.emplace_back(warp, *after.votes);
  readiness_.touch(warp);
}

void SwitchedOutWarps::execute(WarpId warp, std::span<const std::uint32_t> instead) {
  if (buffers_.is_aside(warp)) buffers_.resume(warp);
  buffers_.set_aside(warp, instead);
  readiness_.touch(warp);
}

}  // namespace heddle
