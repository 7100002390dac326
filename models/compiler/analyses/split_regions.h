#pragma once

// What holds on the sides of branches that split a warp, from block to block up to where the sides meet. Searches of
// branches within one another's sides would walk the same blocks again and again: a search ends where an earlier one
// has brought the same and whose region ends at the same point or further on.
//
// A side's region is what can be reached from its first block without the meeting point. A branch in it has its own
// meeting point within the region or at its end, whatever the rule for exits: else a path from the branch to the end
// of the region would miss a point through which all its paths to that end go. So from a block that both have
// reached, the inner search meets nothing that the outer one has not.

#include <array>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// The block in which all ways from the block meet again: where the sides of its branch do, or its only successor.
int next_meeting(const isa::Program& program, const ControlFlow& flow, int block);

class SplitRegions {
 public:
  SplitRegions(const isa::Program& program, const ControlFlow& flow);

  /// Reachable blocks, those whose branches' sides meet further on first: so few blocks are walked twice. Any other
  /// order gives the same.
  const std::vector<int>& outer_first() const { return order_; }

  /// Searches that a block remembers: the first that came there, and the last one with another end. What a search
  /// has brought to a block, it has brought to all that can be reached from there without the search's end.
  static constexpr std::size_t kRemembered = 2;

  /// Visits the blocks of the region that begins with the first block `side` of a side of `branch` and ends before
  /// `meet` (kNoBlock: with the exits). mark(block, search, anew): the block gets what this search brings, which is
  /// remembered as `search`: beside what earlier searches with this end have brought, or anew in the place of
  /// another's; has_all(block, search): what `search` has brought has all of it, so that nothing is left to do from
  /// here on.
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

  /// The same of `bits`: every block of the region takes them into `all`. `brought`, kRemembered sets a block, is kept
  /// from one search to the next.
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
  using Ends = std::array<int, kRemembered>;  ///< where the regions of the searches end; kNone
  const ControlFlow* flow_;
  std::vector<int> order_;
  std::vector<Ends> ends_;  ///< by block
};

}  // namespace heddle::compiler
