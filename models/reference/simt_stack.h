#pragma once

// SIMT stack of a warp: the lanes on each path of its divergent execution. The top entry runs until it
// reaches its reconvergence point or its last lane has exited. After a divergent branch, the fall-through
// path runs first (docs/reference.md). A call that is not lowered to branches runs above its caller's entry
// until its last lane has returned. If the GPU guarantees progress of divergent threads
// (models/isa/thread_progress.h), a path that waits in a loop lets another path of the same call run.

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
  /// Returns the reconvergence point of the top entry. kNoTarget: the entry has none, and ends when its last
  /// lane exits or returns.
  std::int32_t reconvergence() const { return top_->reconvergence; }

  void go_to(std::int32_t pc) {
    top_->pc = pc;
    settle();
  }

  /// Splits the running path at a divergent branch. The lanes `taken` (some of the active lanes) continue at
  /// `target`, all other active lanes at `next`.
  void split(LaneMask taken, std::int32_t target, std::int32_t next, std::int32_t reconvergence) {
    const LaneMask others = top_->lanes & ~taken;
    const bool apart = top_->apart;
    const std::uint32_t gave_way = top_->gave_way;
    if (top_->reconvergence == reconvergence) {
      --top_;  // the entry below has the same reconvergence point, and waits there
    } else {
      top_->pc = reconvergence;
    }
    if (target != reconvergence) *++top_ = {target, reconvergence, taken, apart, gave_way};
    if (next != reconvergence) *++top_ = {next, reconvergence, others, apart, gave_way};
    settle();
  }

  /// Removes lanes whose threads have exited. All other lanes of the path continue at `pc`.
  void exit(LaneMask lanes, std::int32_t pc) {
    top_->pc = pc;
    leave(lanes, 0);
  }

  /// Start calls. begin_calls() sets the `pc` at which the active lanes continue after their calls. enter()
  /// adds one called function with its lanes; the function added last runs first.
  void begin_calls(std::int32_t pc) { top_->pc = pc; }
  void enter(LaneMask lanes, std::int32_t pc) {
    const auto depth = static_cast<std::size_t>(this->depth());
    if (entries_.size() < depth + 1 + kDeepest) entries_.resize(2 * (depth + 1 + kDeepest));
    top_ = entries_.data() + depth + 1;
    *top_ = {pc, isa::kNoTarget, lanes};
  }
  /// Removes lanes that have returned from a call. `base`: depth of the stack before the call.
  void leave(LaneMask lanes, int base) {
    for (Entry* entry = entries_.data() + base + 1; entry <= top_; ++entry) entry->lanes &= ~lanes;
    settle();
  }

  struct View {
    std::int32_t pc, reconvergence;
    LaneMask lanes;
    bool apart;
    std::uint32_t order;
  };
  std::vector<View> view() const;
  /// Returns true if the running path is separated: before it reached its reconvergence point, it has let
  /// another path run (give_way()). Separated paths may join before their reconvergence point.
  bool apart() const { return top_->apart; }
  /// Returns the lanes of the current call that are not on the running path. `base`: stack entry of the
  /// caller; with 0, returns all lanes of the warp that are not on the running path.
  LaneMask other_lanes(int base) const;
  /// Lets another path run: among the paths above entry `base`, the path that has waited longest. `meets`: for
  /// each instruction, true if divergent paths may join there. Separated paths (see apart()) at such an
  /// instruction continue to wait. Returns false if no other path can run.
  bool give_way(const std::vector<bool>& meets, int base);
  /// Must be called for a running path that is separated (see apart()). If the path is at an instruction
  /// where paths may join (`meets`), lets another path run. If no other path can run, because all wait at
  /// such instructions, the paths that wait at the running path's instruction join it.
  void meet(const std::vector<bool>& meets, int base);

 private:
  struct Entry {
    std::int32_t pc;
    std::int32_t reconvergence;
    LaneMask lanes;
    bool apart = false;
    std::uint32_t gave_way = 0;
  };
  /// Calls each(entry, lanes) for the entries between the top entry and `base`, from the top down. A lane
  /// belongs only to the highest entry that contains it.
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

  // Maximum number of stack entries of one call: 1 for the call, 2 for each divergent branch, and 1 for the
  // empty stack. A warp has 32 lanes, and each divergent branch leaves fewer lanes on the running path, so at
  // most 31 branches can diverge. Separated paths need no further entries, because a branch has already
  // separated their lanes.
  static constexpr std::size_t kDeepest = 64;
  std::vector<Entry> entries_;
  Entry* top_ = nullptr;
  std::uint32_t times_ = 0;
};

}  // namespace heddle::reference
