#pragma once

// Propagates facts to all blocks on the sides of branches that split a warp. A side's region is the set of
// blocks reachable from its first block without the meeting point of the branch.
//
// Regions nest, so separate searches would visit the same blocks many times. A search therefore stops at a
// block if an earlier search has brought the same facts there, and if the region of that search ends at the
// same meeting point or further on.
//
// This is correct because a branch within a region has its meeting point within the region or at its end.
// Otherwise, paths from the branch to the end of the region would miss a point that all of them pass. From a
// block that both searches reach, the inner search thus visits no block that the outer one does not.

#include <array>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Returns the block in which all paths from the block meet again: the meeting point of its branch, or its
/// only successor.
int next_meeting(const isa::Program& program, const ControlFlow& flow, int block);

class SplitRegions {
 public:
  SplitRegions(const isa::Program& program, const ControlFlow& flow);

  /// Returns the reachable blocks, those whose branches have the outermost meeting points first, so that few
  /// blocks are visited twice. The order does not affect the result.
  const std::vector<int>& outer_first() const { return order_; }

  /// Searches that a block stores: the first one that reached it, and the last one with another end. The
  /// facts of a search have reached all blocks between this block and the end of the search.
  static constexpr std::size_t kRemembered = 2;

  /// Visits the blocks of the region that begins with the first block `side` of a side of `branch` and ends
  /// before `meet` (kNoBlock: at the exits). Each block stores the facts of kRemembered searches in slots.
  /// mark(block, search, anew) adds the facts of this search to slot `search` of the block. If `anew` is
  /// true, they replace the facts of a search with another end. has_all(block, search) returns true if the
  /// slot already contains the facts of this search, so that the search can stop at the block.
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

  /// As visit(), for facts in a BitSet: each block of the region adds `bits` to `all`. `brought` has
  /// kRemembered sets per block and must be kept between searches.
  void merge(int branch, int side, int meet, const BitSet& bits, std::vector<BitSet>& all,
             std::vector<BitSet>& brought) {
    const auto by = [](int b, std::size_t search) {
      return static_cast<std::size_t>(b) * kRemembered + search;
    };
    visit(
        branch, side, meet,
        [&](int b, std::size_t search, bool anew) {
          all[static_cast<std::size_t>(b)].merge(bits);
          if (anew)
            brought[by(b, search)] = bits;
          else
            brought[by(b, search)].merge(bits);
        },
        [&](int b, std::size_t search) { return brought[by(b, search)].has(bits); });
  }

 private:
  static constexpr int kNone = kNoBlock - 1;
  using Ends = std::array<int, kRemembered>;  ///< ends of the stored searches, or kNone
  const ControlFlow* flow_;
  std::vector<int> order_;
  std::vector<Ends> ends_;  ///< by block
};

}  // namespace heddle::compiler
