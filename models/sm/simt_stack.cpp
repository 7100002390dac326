#include "models/sm/simt_stack.h"

namespace heddle {

void SimtStack::branch(LaneMask taken, Place target, Place fall_through, Place reconvergence) {
  const Path path = top_;
  const LaneMask rest = path.lanes & ~taken;
  if (taken == 0 || rest == 0) {
    advance_to(rest == 0 ? target : fall_through);
    return;
  }
  if (path.reconvergence != reconvergence.pc)
    below_.push_back({reconvergence, path.reconvergence, path.lanes, path.apart, path.gave_way});
  if (target.pc != reconvergence.pc)
    below_.push_back({target, reconvergence.pc, taken, path.apart, path.gave_way});
  if (fall_through.pc != reconvergence.pc)
    below_.push_back({fall_through, reconvergence.pc, rest, path.apart, path.gave_way});
  run_last();
  unwind();
}

void SimtStack::exit_lanes(LaneMask lanes, Place place) {
  top_.at = place;
  live_ &= ~lanes;
  top_.lanes &= ~lanes;
  for (Path& path : below_) path.lanes &= ~lanes;
  unwind();
}

bool SimtStack::give_way(const std::vector<bool>& meets) {
  top_.gave_way = ++times_;
  LaneMask above = top_.lanes, own_of_best = 0;
  std::size_t best = below_.size();
  for (std::size_t i = below_.size(); i-- > 0;) {
    const Path& path = below_[i];
    const LaneMask own = path.lanes & ~above;
    above |= path.lanes;
    if (own == 0 || ((path.apart || own != path.lanes) && meets[path.at.pc])) continue;
    if (best != below_.size() && path.gave_way >= below_[best].gave_way) continue;
    best = i;
    own_of_best = own;
  }
  if (best == below_.size()) return false;
  raise(best, own_of_best);
  return true;
}

// Runs the last path of the vector.
void SimtStack::run_last() {
  top_ = below_.back();
  below_.pop_back();
}

// Moves the lanes `own` of a path to the top of the stack. If other lanes of the path keep the old entry,
// both entries are marked `apart`: their lanes no longer wait for each other at the reconvergence point.
void SimtStack::raise(std::size_t path, LaneMask own) {
  below_.push_back(top_);
  Path raised = below_[path];
  if (own == raised.lanes) {
    below_.erase(below_.begin() + static_cast<std::ptrdiff_t>(path));
  } else {
    below_[path].lanes &= ~own;
    below_[path].apart = raised.apart = true;
    raised.lanes = own;
  }
  std::erase_if(below_, [](const Path& p) { return p.lanes == 0; });
  top_ = raised;
}

void SimtStack::meet(const std::vector<bool>& meets) {
  if (!meets[pc()] || give_way(meets)) return;
  Path& running = top_;
  LaneMask above = running.lanes;
  for (std::size_t i = below_.size(); i-- > 0;) {
    Path& path = below_[i];
    const LaneMask own = path.lanes & ~above;
    above |= path.lanes;
    if (own == 0 || path.at.pc != running.at.pc || path.reconvergence != running.reconvergence) continue;
    if (own != path.lanes) path.apart = true;
    path.lanes &= ~own;
    running.lanes |= own;
  }
  running.apart = running.lanes != lanes_to_meet(running.reconvergence, running.lanes);
}

// Returns the lanes of the path that waits at `reconvergence` for the lanes in `some`. If no path waits there
// for these lanes, returns all live lanes.
LaneMask SimtStack::lanes_to_meet(std::uint32_t reconvergence, LaneMask some) const {
  for (std::size_t i = below_.size(); i-- > 0;)
    if (below_[i].at.pc == reconvergence && (below_[i].lanes & some) == some) return below_[i].lanes;
  return live_;
}

void SimtStack::unwind() {
  const auto ended = [](const Path& path) {
    return path.lanes == 0 || (path.at.pc == path.reconvergence && path.at.pc != kNever);
  };
  while (!below_.empty() && ended(top_)) run_last();
}

}  // namespace heddle
