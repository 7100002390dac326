#pragma once

// Which lanes of a warp run where. The top entry runs; an entry is done when it reaches its reconvergence
// point, or when its last lane has exited. On a split the fall-through side runs first (README.md). A call that is kept runs
// above the entry of its caller, until the last of its lanes has returned.

#include <cstdint>
#include <vector>

#include "models/core/lanes.h"
#include "models/isa/instruction.h"

namespace heddle::reference {

class SimtStack {
 public:
  void start(LaneMask lanes) {
    depth_ = 1;
    entries_.resize(kDeepest);
    entries_[0] = {0, isa::kNoTarget, lanes};
  }

  bool empty() const { return depth_ == 0; }
  int depth() const { return depth_; }
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

  /// Active lanes that make a call go on at `pc` when it is over; calls are entered after that, the last one runs first.
  void begin_calls(std::int32_t pc) { entries_[depth_ - 1].pc = pc; }
  void enter(LaneMask lanes, std::int32_t pc) {
    const auto room = static_cast<std::size_t>(depth_) + 1 + kDeepest;
    if (entries_.size() < room) entries_.resize(room);
    entries_[depth_++] = {pc, isa::kNoTarget, lanes};
  }
  /// `lanes` have returned from the call that was entered at depth `base`.
  void leave(LaneMask lanes, int base) {
    for (int i = base; i < depth_; ++i) entries_[i].lanes &= ~lanes;
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

  // Every split leaves the running side fewer lanes and adds two entries at most: 1 + 2 * 31, and so above each call.
  static constexpr std::size_t kDeepest = 64;
  std::vector<Entry> entries_;
  int depth_ = 0;
};

}  // namespace heddle::reference
