#pragma once

// Which lanes of a warp run where. The top entry runs; an entry is done when it reaches its reconvergence
// point, or when its last lane has exited. On a split the fall-through side runs first (README.md).

#include <array>
#include <cstdint>

#include "models/core/lanes.h"
#include "models/isa/instruction.h"

namespace heddle::reference {

class SimtStack {
 public:
  void start(LaneMask lanes) {
    depth_ = 1;
    entries_[0] = {0, isa::kNoTarget, lanes};
  }

  bool empty() const { return depth_ == 0; }
  std::int32_t pc() const { return entries_[depth_ - 1].pc; }
  LaneMask active() const { return entries_[depth_ - 1].lanes; }

  /// All active lanes go on at `pc`.
  void go_to(std::int32_t pc) {
    entries_[depth_ - 1].pc = pc;
    settle();
  }

  /// `taken` (a proper, non-empty part of the active lanes) goes to `target`, the others to `next`.
  void split(LaneMask taken, std::int32_t target, std::int32_t next, std::int32_t reconvergence) {
    Entry& top = entries_[depth_ - 1];
    const LaneMask others = top.lanes & ~taken;
    if (top.reconvergence == reconvergence) {
      --depth_;  // an entry below waits there already
    } else {
      top.pc = reconvergence;
    }
    if (target != reconvergence) entries_[depth_++] = {target, reconvergence, taken};
    if (next != reconvergence) entries_[depth_++] = {next, reconvergence, others};
    settle();
  }

  /// `lanes` have ended; the others go on at `pc`.
  void exit(LaneMask lanes, std::int32_t pc) {
    entries_[depth_ - 1].pc = pc;
    for (int i = 0; i < depth_; ++i) entries_[i].lanes &= ~lanes;
    settle();
  }

 private:
  struct Entry {
    std::int32_t pc;
    std::int32_t reconvergence;
    LaneMask lanes;
  };

  void settle() {
    while (depth_ != 0) {
      const Entry& top = entries_[depth_ - 1];
      if (top.lanes != 0 && (top.pc != top.reconvergence || top.pc == isa::kNoTarget)) return;
      --depth_;
    }
  }

  // Every split leaves the running side fewer lanes and adds two entries at most: 1 + 2 * 31.
  std::array<Entry, 64> entries_;
  int depth_ = 0;
};

}  // namespace heddle::reference
