#include "models/sm/simt_stack.h"

namespace heddle {

void SimtStack::branch(LaneMask taken, Place target, Place fall_through, Place reconvergence) {
  const Path path = entries_.back();
  const LaneMask rest = path.lanes & ~taken;
  if (taken == 0 || rest == 0) {
    advance_to(rest == 0 ? target : fall_through);
    return;
  }
  entries_.pop_back();
  if (path.reconvergence != reconvergence.pc)
    entries_.push_back({reconvergence, path.reconvergence, path.lanes, path.apart, path.gave_way});
  if (target.pc != reconvergence.pc)
    entries_.push_back({target, reconvergence.pc, taken, path.apart, path.gave_way});
  if (fall_through.pc != reconvergence.pc)
    entries_.push_back({fall_through, reconvergence.pc, rest, path.apart, path.gave_way});
  unwind();
}

void SimtStack::exit_lanes(LaneMask lanes, Place place) {
  entries_.back().at = place;
  live_ &= ~lanes;
  for (Path& path : entries_) path.lanes &= ~lanes;
  unwind();
}

bool SimtStack::give_way(const std::vector<bool>& meets) {
  entries_.back().gave_way = ++times_;
  LaneMask above = entries_.back().lanes, own_of_best = 0;
  std::size_t best = entries_.size();
  for (std::size_t i = entries_.size() - 1; i-- > 0;) {
    const Path& path = entries_[i];
    const LaneMask own = path.lanes & ~above;
    above |= path.lanes;
    if (own == 0 || ((path.apart || own != path.lanes) && meets[path.at.pc])) continue;
    if (best != entries_.size() && path.gave_way >= entries_[best].gave_way) continue;
    best = i;
    own_of_best = own;
  }
  if (best == entries_.size()) return false;
  raise(best, own_of_best);
  return true;
}

// Moves the lanes `own` of a path to the top of the stack. If other lanes of the path keep the old entry,
// both entries are marked `apart`: their lanes no longer wait for each other at the reconvergence point.
void SimtStack::raise(std::size_t path, LaneMask own) {
  Path raised = entries_[path];
  if (own == raised.lanes) {
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(path));
  } else {
    entries_[path].lanes &= ~own;
    entries_[path].apart = raised.apart = true;
    raised.lanes = own;
  }
  entries_.push_back(raised);
  std::erase_if(entries_, [](const Path& p) { return p.lanes == 0; });
}

void SimtStack::meet(const std::vector<bool>& meets) {
  if (!meets[pc()] || give_way(meets)) return;
  Path& running = entries_.back();
  LaneMask above = running.lanes;
  for (std::size_t i = entries_.size() - 1; i-- > 0;) {
    Path& path = entries_[i];
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
  for (std::size_t i = entries_.size() - 1; i-- > 0;)
    if (entries_[i].at.pc == reconvergence && (entries_[i].lanes & some) == some) return entries_[i].lanes;
  return live_;
}

void SimtStack::unwind() {
  while (!entries_.empty()) {
    const Path& top = entries_.back();
    if (top.lanes != 0 && (top.at.pc != top.reconvergence || top.at.pc == kNever)) return;
    entries_.pop_back();
  }
}

}  // namespace heddle
