#pragma once

// Order in which a warp executes basic blocks. At a branch that splits the warp, the warp executes the
// fall-through side, then the target side, then the meeting point. The graph therefore has an edge from the
// end of the first side to the target side, although no lane takes this edge. Analyses of the whole warp
// follow these edges; analyses of lanes follow ControlFlow.
//
// Edges lead through junctions (nodes without instructions), so that the number of edges grows only in
// proportion to the number of blocks. A branch has two junctions. One junction stands for all blocks in which
// its sides reach the meeting point. The other stands for all blocks in which its sides exit.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/isa/branch_sides.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct Split {
  int block = kNoBlock;
  int first = kNoBlock;
  int second = kNoBlock;
  int meet = kNoBlock;
};

class WarpFlow {
 public:
  /// Builds the graph. Instruction::reconvergence of all guarded branches must be set.
  WarpFlow(const isa::Program& program, const ControlFlow& flow, const Divergence& divergence);

  const std::vector<Split>& splits() const { return splits_; }
  int size() const { return static_cast<int>(successors_.size()); }
  bool is_block(int node) const { return node < blocks_; }
  const std::vector<int>& order() const { return order_; }
  const std::vector<int>& predecessors(int node) const {
    return predecessors_[static_cast<std::size_t>(node)];
  }
  const std::vector<int>& successors(int node) const { return successors_[static_cast<std::size_t>(node)]; }

  /// Calls f(block) for each block that may execute immediately before `node`. Searches backwards through the
  /// junctions (nodes without instructions) for which enter(junction) returns true. enter() must return true
  /// at most once for each junction, so that no junction is searched twice.
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
  bool leads_only_to(int block, int to) const;

  /// Returns the blocks at whose start some lanes may have waited while other lanes of the warp executed a
  /// `marked` block.
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
