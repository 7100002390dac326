#pragma once

// Propagates facts to all blocks on the two sides of branches that split a warp. The region of a side is the
// set of blocks that can be reached from the side's first block without passing the meeting point of the
// branch.
//
// Regions nest, so separate searches would visit the same blocks many times. A search therefore stops at a
// block if an earlier search has brought the same facts there and the region of the earlier search ends at
// the same meeting point or further on.
//
// This is correct because a branch within a region meets within the region or at its end. Otherwise, some
// path from the branch to the end of the region would miss a point that all paths pass. From a block that
// both searches reach, the later (inner) search therefore visits no block that the earlier (outer) search
// does not visit.

#include <array>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Returns the next block that all paths from `block` pass: the meeting point of its branch, or its only
/// successor. kNoBlock if there is none.
int next_meeting(const isa::Program& program, const ControlFlow& flow, int block);

class SplitRegions {
 public:
  SplitRegions(const isa::Program& program, const ControlFlow& flow);

  /// Returns the reachable blocks in the order in which their branches should be visited. Branches with the
  /// outermost meeting points come first, so that few blocks are visited twice. The order does not affect the
  /// result.
  const std::vector<int>& outer_first() const { return order_; }

  /// Number of searches that each block stores: the first search that reached the block, and the last search
  /// with another end. The facts of a stored search have reached all blocks between this block and the end of
  /// the search.
  static constexpr std::size_t kRemembered = 2;

  /// Visits the blocks on one side of `branch`: the region begins with block `side` and ends before block
  /// `meet` (kNoBlock: at the exits). Each block stores the facts of kRemembered searches in numbered slots.
  /// mark(block, search, is_new) adds the facts of this visit to slot `search` of the block. If `is_new` is true,
  /// the slot held facts of a search with another end, which the new facts replace. has_all(block, search)
  /// returns true if the slot already contains all facts of this visit. The visit then stops at the block.
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

  /// Visits the region as visit() does, with facts in a BitSet: adds `bits` to the entry of `all` for each
  /// block of the region. `brought` has kRemembered sets per block and must be kept between calls.
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
  /// End blocks of the searches that a block stores; kNone = slot not used.
  using Ends = std::array<int, kRemembered>;
  const ControlFlow* flow_;
  std::vector<int> order_;
  std::vector<Ends> ends_;  ///< for each block: end blocks of the searches that it stores
};

}  // namespace heddle::compiler
