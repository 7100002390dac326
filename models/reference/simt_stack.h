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
  SimtStack() = default;
  SimtStack(SimtStack&&) = default;
  SimtStack& operator=(SimtStack&&) = default;

  void start(LaneMask lanes) {
    entries_.resize(kDeepest);
    top_ = entries_.data() + 1;
    *top_ = {0, isa::kNoTarget, lanes};
  }

  bool empty() const { return top_ == entries_.data(); }
  int depth() const { return static_cast<int>(top_ - entries_.data()); }
  std::int32_t pc() const { return top_->pc; }
  LaneMask active() const { return top_->lanes; }
  /// Where the top entry ends; kNoTarget: with its lanes.
  std::int32_t reconvergence() const { return top_->reconvergence; }

  /// All active lanes go on at `pc`.
  void go_to(std::int32_t pc) {
    top_->pc = pc;
    settle();
  }

  /// `taken` (a proper, non-empty part of the active lanes) goes to `target`, the others to `next`.
  void split(LaneMask taken, std::int32_t target, std::int32_t next, std::int32_t reconvergence) {
    const LaneMask others = top_->lanes & ~taken;
    if (top_->reconvergence == reconvergence) {
      --top_;  // an entry below waits there already
    } else {
      top_->pc = reconvergence;
    }
    if (target != reconvergence) *++top_ = {target, reconvergence, taken};
    if (next != reconvergence) *++top_ = {next, reconvergence, others};
    settle();
  }

  /// `lanes` have ended; the others go on at `pc`.
  void exit(LaneMask lanes, std::int32_t pc) {
    top_->pc = pc;
    leave(lanes, 0);
  }

  /// Active lanes that make a call go on at `pc` when it is over; calls are entered after that, the last one runs first.
  void begin_calls(std::int32_t pc) { top_->pc = pc; }
  void enter(LaneMask lanes, std::int32_t pc) {
    const auto depth = static_cast<std::size_t>(this->depth());
    if (entries_.size() < depth + 1 + kDeepest) entries_.resize(2 * (depth + 1 + kDeepest));
    top_ = entries_.data() + depth + 1;
    *top_ = {pc, isa::kNoTarget, lanes};
  }
  /// `lanes` have returned from the call that was entered at depth `base`.
  void leave(LaneMask lanes, int base) {
    for (Entry* entry = entries_.data() + base + 1; entry <= top_; ++entry) entry->lanes &= ~lanes;
    settle();
  }

 private:
  struct Entry {
    std::int32_t pc;
    std::int32_t reconvergence;
    LaneMask lanes;
  };

  void settle() {
    const Entry* const bottom = entries_.data();
    while (top_ != bottom) {
      if (top_->lanes != 0 && (top_->pc != top_->reconvergence || top_->pc == isa::kNoTarget)) return;
      --top_;
    }
  }

  // Every split leaves the running side fewer lanes and adds two entries at most: 1 + 2 * 31, and so above each call. The first entry is
  // none: the stack is empty there.
  static constexpr std::size_t kDeepest = 64;
  std::vector<Entry> entries_;
  Entry* top_ = nullptr;
};

}  // namespace heddle::reference
