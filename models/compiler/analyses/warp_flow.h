#pragma once

// Order in which a warp executes basic blocks. At a branch that splits the warp, the warp executes the
// fall-through side first, then the other side, then the meeting point. After the last block of the first
// side, the warp may thus continue at the other side, although no lane takes this edge. Analyses of the whole
// warp (strand ends, outstanding results) follow these edges. Analyses of values in lanes follow ControlFlow
// instead.
//
// A side may end in many blocks, including those of nested sides. To keep the number of edges linear, edges
// lead through junctions, which are nodes without instructions. One junction stands for all blocks in which
// the sides of a branch reach their meeting point. Another junction stands for all blocks in which the sides
// exit.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/isa/branch_sides.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// A branch that may split a warp, with the first blocks of its two sides and the block where the sides meet.
struct Split {
  int block = kNoBlock;
  /// First block of the fall-through side, which executes first; kNoBlock if this side is empty.
  int first = kNoBlock;
  int second = kNoBlock;  ///< first block of the other side; kNoBlock if this side is empty
  int meet = kNoBlock;    ///< block where the sides meet; kNoBlock if they meet only at exit
};

class WarpFlow {
 public:
  /// Builds the graph. Instruction::reconvergence of all guarded branches must be set.
  WarpFlow(const isa::Program& program, const ControlFlow& flow, const Divergence& divergence);

  const std::vector<Split>& splits() const { return splits_; }
  /// Returns the number of nodes. Blocks have the same numbers as in ControlFlow, and junctions have the
  /// numbers after them.
  int size() const { return static_cast<int>(successors_.size()); }
  bool is_block(int node) const { return node < blocks_; }
  /// Returns the nodes that can be reached from the entry, in reverse post-order.
  const std::vector<int>& order() const { return order_; }
  /// Returns the nodes after which the warp may continue at `node`, ascending.
  const std::vector<int>& predecessors(int node) const {
    return predecessors_[static_cast<std::size_t>(node)];
  }
  const std::vector<int>& successors(int node) const { return successors_[static_cast<std::size_t>(node)]; }

  /// Calls f(block) for each block whose last instruction may be issued immediately before the first
  /// instruction of `node`. Searches backwards through junctions, and skips the blocks before a junction if
  /// enter(junction) returns false. The caller's enter() must return false for a junction that it was called
  /// with before.
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
  /// Returns true if the warp always executes block `to` directly after `block`.
  bool leads_only_to(int block, int to) const;

  /// Returns the blocks at whose start some lanes may have waited while other lanes of the warp executed a
  /// `marked` block. Such a block is the other side or the meeting point of a divergent branch.
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
