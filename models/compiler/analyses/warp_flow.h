#pragma once

// Order in which a warp executes basic blocks. At a branch that splits the warp, the fall-through side
// executes first, then the other side, then the meeting point. After the last block of the first side, the
// warp may thus continue at the other side, although no lane takes this edge. Analyses of the whole warp
// (strand ends, outstanding results) follow these edges; analyses of values in lanes follow ControlFlow.
//
// A side may end in many blocks, including those of nested sides. To keep the number of edges linear, edges
// lead through junctions, which are nodes without instructions. One junction stands for all blocks in which
// the sides of a branch reach their meeting point, one for all blocks in which they exit.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/isa/branch_sides.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// A branch that may split a warp.
struct Split {
  int block = kNoBlock;
  int first = kNoBlock;   ///< fall-through side, which executes first; kNoBlock if it is `meet`
  int second = kNoBlock;  ///< other side; kNoBlock if it is `meet`
  int meet = kNoBlock;    ///< meeting point; kNoBlock if the sides meet only at exit
};

class WarpFlow {
 public:
  /// Needs Instruction::reconvergence of all guarded branches.
  WarpFlow(const isa::Program& program, const ControlFlow& flow, const Divergence& divergence);

  const std::vector<Split>& splits() const { return splits_; }
  /// Returns the number of nodes. Blocks keep their numbers; junctions have the numbers after them.
  int size() const { return static_cast<int>(successors_.size()); }
  bool is_block(int node) const { return node < blocks_; }
  /// Returns the reachable nodes in reverse post-order.
  const std::vector<int>& order() const { return order_; }
  /// Nodes from which the warp reaches `node`, ascending.
  const std::vector<int>& predecessors(int node) const {
    return predecessors_[static_cast<std::size_t>(node)];
  }
  const std::vector<int>& successors(int node) const { return successors_[static_cast<std::size_t>(node)]; }

  /// Calls f(block) for each block whose last instruction may be issued immediately before the first one of
  /// `node`. Blocks before a junction are skipped if enter(junction) returns false, which it must do for a
  /// junction that was entered before.
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
  /// True if the warp always continues at `to` after the block.
  bool leads_only_to(int block, int to) const;

  /// Returns the blocks at whose start lanes may have waited while others of the warp executed a `marked`
  /// block: the other side and the meeting point of a divergent branch.
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
