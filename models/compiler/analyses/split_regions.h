#pragma once

// Propagates facts (bit sets) after branches that split a warp: to all blocks on both sides of the branch. The
// region of a side contains the blocks that are reached from the side's first block before the meeting point of
// the branch.
//
// Regions nest: if a branch is within a region, its sides meet within the region or at its end. Therefore a
// visit stops at a block if an earlier visit has brought the same facts to this block. The earlier visit must
// have ended at the same meeting point or at a later one.

#include <array>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Returns the next block that all paths from `block` pass: the meeting point of its branch, or its only
/// successor; kNoBlock if there is none.
int next_meeting(const isa::Program& program, const ControlFlow& flow, int block);

class SplitRegions {
 public:
  SplitRegions(const isa::Program& program, const ControlFlow& flow);

  const std::vector<int>& outer_first() const { return order_; }

  /// Number of slots for facts of each block. Slot 0: facts of the visits that ended at the same meeting
  /// point as the first visit of the block. Slot 1: facts of the last visits that ended at another meeting
  /// point.
  static constexpr std::size_t kRemembered = 2;

  /// Visits the blocks on one side of `branch`, from block `side` up to, but not including, block `meet`
  /// (kNoBlock: up to the exits). Calls mark(block, slot, is_new) for each block: mark() must store the facts
  /// of this visit in this slot of the block. If `is_new` is true, they replace the old facts of the slot,
  /// otherwise they are added. The visit stops at a block for which has_all(block, slot) returns true: an
  /// earlier visit has already stored all these facts in this slot.
  template <class Mark, class HasAll>
  void visit(int branch, int side, int meet, Mark mark, HasAll has_all) {
    const Ends around = ends_[static_cast<std::size_t>(branch)];
    flow_->walk_without(side, meet, [&](int b) {
      Ends& ends = ends_[static_cast<std::size_t>(b)];
      for (std::size_t search = 0; search < kRemembered; ++search) {
        const int end = ends[search];
        const bool reaches =
            end != kNone && (end == meet || end == around[0] || end == around[1] || end == kNoBlock);
        if (reaches && has_all(b, search)) return false;
      }
      const std::size_t search = ends[0] == kNone || ends[0] == meet ? 0 : 1;
      mark(b, search, ends[search] != meet);
      ends[search] = meet;
      return true;
    });
  }

  /// Adds the facts `bits` to all[b] of each block b on one side of a branch. `branch`, `side`, `meet`: as in
  /// visit(). `brought`: the facts of earlier visits, kRemembered sets per block. The caller must pass the
  /// same vector to all calls.
  void merge(int branch, int side, int meet, const BitSet& bits, std::vector<BitSet>& all,
             std::vector<BitSet>& brought) {
    const auto by = [](int b, std::size_t search) {
      return static_cast<std::size_t>(b) * kRemembered + search;
    };
    visit(
        branch, side, meet,
        [&](int b, std::size_t search, bool is_new) {
          all[static_cast<std::size_t>(b)].merge(bits);
          if (is_new)
            brought[by(b, search)] = bits;
          else
            brought[by(b, search)].merge(bits);
        },
        [&](int b, std::size_t search) { return brought[by(b, search)].has(bits); });
  }

 private:
  static constexpr int kNone = kNoBlock - 1;
  using Ends = std::array<int, kRemembered>;
  const ControlFlow* flow_;
  std::vector<int> order_;
  std::vector<Ends> ends_;
};

}  // namespace heddle::compiler
