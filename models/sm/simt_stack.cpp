#include "models/sm/simt_stack.h"

namespace heddle {

void SimtStack::branch(LaneMask taken, Place target, Place fall_through, Place reconvergence) {
  const Path path = entries_.back();
  const LaneMask rest = path.lanes & ~taken;
  if (taken == 0 || rest == 0) {
    advance_to(rest == 0 ? target : fall_through);
    return;
  }
  // The path waits at the reconvergence point, unless a path below already waits there.
  entries_.pop_back();
  if (path.reconvergence != reconvergence.pc)
    entries_.push_back({reconvergence, path.reconvergence, path.lanes});
  if (target.pc != reconvergence.pc) entries_.push_back({target, reconvergence.pc, taken});
  if (fall_through.pc != reconvergence.pc) entries_.push_back({fall_through, reconvergence.pc, rest});
  unwind();
}

void SimtStack::exit_lanes(LaneMask lanes, Place place) {
  entries_.back().at = place;
  live_ &= ~lanes;
  for (Path& path : entries_) path.lanes &= ~lanes;
  unwind();
}

// Removes paths without a lane, and paths that have reached the point where the path below continues.
void SimtStack::unwind() {
  while (!entries_.empty()) {
    const Path& top = entries_.back();
    if (top.lanes != 0 && (top.at.pc != top.reconvergence || top.at.pc == kNever)) return;
    entries_.pop_back();
  }
}

}  // namespace heddle
