#pragma once

// SIMT stack: the lanes of a warp on each path. The top entry runs. It is removed when it reaches its
// reconvergence point or when its last lane has exited. After a split the fall-through side runs first
// (docs/reference.md). A kept call runs above the entry of its caller until its last lane has returned. With
// thread progress (models/isa/thread_progress.h) a path gives way to another path of the same call.

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
  /// Returns the reconvergence point of the top entry; kNoTarget if it ends only with its lanes.
  std::int32_t reconvergence() const { return top_->reconvergence; }

  /// Continues all active lanes at `pc`.
  void go_to(std::int32_t pc) {
    top_->pc = pc;
    settle();
  }

  /// `taken` (a proper, non-empty subset of the active lanes) continues at `target`, the other lanes at
  /// `next`.
  void split(LaneMask taken, std::int32_t target, std::int32_t next, std::int32_t reconvergence) {
    const LaneMask others = top_->lanes & ~taken;
    const bool apart = top_->apart;
    const std::uint32_t gave_way = top_->gave_way;
    if (top_->reconvergence == reconvergence) {
      --top_;  // an entry below already waits at this reconvergence point
    } else {
      top_->pc = reconvergence;
    }
    if (target != reconvergence) *++top_ = {target, reconvergence, taken, apart, gave_way};
    if (next != reconvergence) *++top_ = {next, reconvergence, others, apart, gave_way};
    settle();
  }

  /// Removes `lanes`, which have ended; the others continue at `pc`.
  void exit(LaneMask lanes, std::int32_t pc) {
    top_->pc = pc;
    leave(lanes, 0);
  }

  /// begin_calls() sets the `pc` at which the active lanes continue after their calls. enter() then adds one
  /// callee at a time; the last one added runs first.
  void begin_calls(std::int32_t pc) { top_->pc = pc; }
  void enter(LaneMask lanes, std::int32_t pc) {
    const auto depth = static_cast<std::size_t>(this->depth());
    if (entries_.size() < depth + 1 + kDeepest) entries_.resize(2 * (depth + 1 + kDeepest));
    top_ = entries_.data() + depth + 1;
    *top_ = {pc, isa::kNoTarget, lanes};
  }
  /// Removes `lanes`, which have returned from the call entered at depth `base`.
  void leave(LaneMask lanes, int base) {
    for (Entry* entry = entries_.data() + base + 1; entry <= top_; ++entry) entry->lanes &= ~lanes;
    settle();
  }

  /// An entry as others see it.
  struct View {
    std::int32_t pc, reconvergence;
    LaneMask lanes;
    bool apart;
    std::uint32_t order;  ///< entries that have waited longer
  };
  /// The lowest entry first.
  std::vector<View> view() const;
  /// Paths on either side of a reconvergence point that some lanes went past before all had come.
  bool apart() const { return top_->apart; }
  /// Lanes of the paths above entry `base` (0: of the warp) that do not run now.
  LaneMask other_lanes(int base) const;
  /// The path above `base` that has waited longest runs next. Paths that are apart wait at instructions in `meets`. False if no
  /// other path can run.
  bool give_way(const std::vector<bool>& meets, int base);
  /// The running path is apart and may stand at an instruction in `meets`: another one runs then. If all wait, those at this
  /// instruction go on together.
  void meet(const std::vector<bool>& meets, int base);

 private:
  struct Entry {
    std::int32_t pc;
    std::int32_t reconvergence;
    LaneMask lanes;
    bool apart = false;
    std::uint32_t gave_way = 0;  ///< number of the last time
  };
  /// Calls each(entry, own lanes) for the entries from the top's neighbour down to `base`; a lane belongs to the highest entry that
  /// has it.
  template <class Each>
  void below_top(int base, Each each) {
    LaneMask above = top_->lanes;
    for (Entry *entry = top_ - 1, *end = entries_.data() + base; entry > end; --entry) {
      const LaneMask own = entry->lanes & ~above;
      above |= entry->lanes;
      if (own != 0) each(*entry, own);
    }
  }

  void settle() {
    const Entry* const bottom = entries_.data();
    while (top_ != bottom) {
      if (top_->lanes != 0 && (top_->pc != top_->reconvergence || top_->pc == isa::kNoTarget)) return;
      --top_;
    }
  }

  // Bound of the depth above each call. Every split leaves fewer lanes on the running side and adds at most
  // two entries: 1 + 2 * 31. A path that gives way adds an entry only for lanes that a split has separated.
  // The first entry is a dummy for the empty stack.
  static constexpr std::size_t kDeepest = 64;
  std::vector<Entry> entries_;
  Entry* top_ = nullptr;
  std::uint32_t times_ = 0;  ///< that a path gave way
};

}  // namespace heddle::reference
