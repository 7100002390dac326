#pragma once

// What holds on the sides of branches that split a warp, from block to block up to where the sides meet. Searches of
// branches within one another's sides would walk the same blocks again and again: a search ends where an earlier one
// has been whose region ends at the same point or further on. Plain.
//
// A side's region is what can be reached from its first block without the meeting point. A branch in it has its own
// meeting point within the region or at its end, whatever the rule for exits: else a path from the branch to the end
// of the region would miss a point through which all its paths to that end go. So from a block that both have
// reached, the inner search meets nothing that the outer one has not.

#include <vector>

#include "models/compiler/bit_set.h"
#include "models/compiler/control_flow.h"
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

  /// Visits the blocks of the region that begins with the first block `side` of a side of `branch` and ends before
  /// `meet` (kNoBlock: with the exits). mark(block, lasts): the block gets what this search brings, and, if it
  /// lasts, so does all that the search which came there first has reached from it; has_all(block): what lasts there
  /// has all of it, so that nothing is left to do from here on.
  template <class Mark, class HasAll>
  void visit(int branch, int side, int meet, Mark mark, HasAll has_all) {
    const int around = ends_[static_cast<std::size_t>(branch)];
    flow_->walk_without(side, meet, [&](int b) {
      int& end = ends_[static_cast<std::size_t>(b)];
      if (end == kNone) {
        end = meet;
        mark(b, true);
        return true;
      }
      const bool reaches = end == meet || end == around || end == kNoBlock;
      if (reaches && has_all(b)) return false;
      mark(b, end == meet);
      return true;
    });
  }

  /// The same of `bits`: every block of the region takes them into `all`. `lasting`, as many sets, is kept from one
  /// search to the next.
  void merge(int branch, int side, int meet, const BitSet& bits, std::vector<BitSet>& all,
             std::vector<BitSet>& lasting) {
    const auto at = [](int b) { return static_cast<std::size_t>(b); };
    visit(
        branch, side, meet,
        [&](int b, bool lasts) {
          all[at(b)].merge(bits);
          if (lasts) lasting[at(b)].merge(bits);
        },
        [&](int b) { return lasting[at(b)].has(bits); });
  }

 private:
  static constexpr int kNone = kNoBlock - 1;
  const ControlFlow* flow_;
  std::vector<int> order_;
  std::vector<int> ends_;  ///< by block: where the region of the first search that came there ends
};

}  // namespace heddle::compiler
