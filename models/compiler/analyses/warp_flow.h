#pragma once

// The order in which a warp as a whole executes basic blocks. Where a branch splits it, the fall-through side
// runs first, then the other, then the point where both meet; so after the last block of the first side the
// warp may go to the other side, which no lane reaches that way. What concerns the warp as a whole (strand
// ends, outstanding results) follows these edges; what concerns one lane's values follows ControlFlow's.
//
// The ends of a side are those of the sides within it too. So that edges do not grow with the square of the program,
// they lead through junctions: nodes without instructions, one for all blocks in which the sides of a branch come to
// their meeting point and one for those in which they exit.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/isa/branch_sides.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// A branch that may send lanes of one warp both ways.
struct Split {
  int block = kNoBlock;
  int first = kNoBlock;   ///< the fall-through side: runs first (kNoBlock if it is `meet`)
  int second = kNoBlock;  ///< the other side (kNoBlock if it is `meet`)
  int meet = kNoBlock;    ///< kNoBlock: at exit
};

class WarpFlow {
 public:
  /// Needs Instruction::reconvergence of every guarded branch.
  WarpFlow(const isa::Program& program, const ControlFlow& flow, const Divergence& divergence);

  const std::vector<Split>& splits() const { return splits_; }
  /// Blocks have their own numbers, junctions those from size of the control flow to size().
  int size() const { return static_cast<int>(successors_.size()); }
  bool is_block(int node) const { return node < blocks_; }
  /// Reachable nodes in reverse post-order.
  const std::vector<int>& order() const { return order_; }
  /// Nodes from which the warp comes to `node`; ascending.
  const std::vector<int>& predecessors(int node) const {
    return predecessors_[static_cast<std::size_t>(node)];
  }
  const std::vector<int>& successors(int node) const { return successors_[static_cast<std::size_t>(node)]; }

  /// f(block) for blocks whose last instruction may be the one that the warp issued before the first of `node`;
  /// leaves out what stands after a junction for which enter(junction) is false, which has to be so the second time.
  template <class Enter, class F>
  void for_each_before(int node, Enter enter, F f) const {
    std::vector<int> work{node};
    while (!work.empty()) {
      const int n = work.back();
      work.pop_back();
      for (const int p : predecessors(n)) {
        if (is_block(p))
          f(p);
        else if (enter(p))
          work.push_back(p);
      }
    }
  }
  /// After the block the warp goes to this one, whatever its lanes do.
  bool leads_only_to(int block, int to) const;

  /// Blocks before which lanes may have waited while others of the warp executed one of the `marked`: the other side
  /// and the meeting point of a divergent branch.
  std::vector<bool> behind(const std::vector<bool>& marked) const;

 private:
  void add(int from, int to);
  void link(const ControlFlow& flow, const Divergence& divergence);
  void drop_dead_ends();
  void sort();

  int blocks_;
  isa::BranchSides sides_;
  std::vector<Split> splits_;
  std::vector<std::vector<int>> predecessors_, successors_;
  std::vector<int> order_;
};

}  // namespace heddle::compiler
