#include "models/sm/simt_stack.h"

namespace heddle {

void SimtStack::branch(LaneMask taken, std::uint32_t target, std::uint32_t fall_through,
                       std::uint32_t reconvergence) {
  const Path path = entries_.back();
  const LaneMask rest = path.lanes & ~taken;
  if (taken == 0 || rest == 0) {
    advance_to(rest == 0 ? target : fall_through);
    return;
  }
  // The path itself waits at the reconvergence point, unless one that waits there is already below it.
  entries_.pop_back();
  if (path.reconvergence != reconvergence)
    entries_.push_back({reconvergence, path.reconvergence, path.lanes});
  if (target != reconvergence) entries_.push_back({target, reconvergence, taken});
  if (fall_through != reconvergence) entries_.push_back({fall_through, reconvergence, rest});
  unwind();
}

void SimtStack::exit_lanes(LaneMask lanes, std::uint32_t pc) {
  entries_.back().pc = pc;
  for (Path& path : entries_) path.lanes &= ~lanes;
  unwind();
}

// Drops paths that have no lane left or have reached the point where the path below takes over.
void SimtStack::unwind() {
  while (!entries_.empty()) {
    const Path& top = entries_.back();
    if (top.lanes != 0 && (top.pc != top.reconvergence || top.pc == kNever)) return;
    entries_.pop_back();
  }
}

}  // namespace heddle
