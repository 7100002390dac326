#pragma once

// The order in which a warp as a whole executes basic blocks. Where a branch splits it, the fall-through side
// runs first, then the other, then the point where both meet; so behind the last block of the first side the
// warp may go to the other side, which no lane reaches that way. What concerns the warp as a whole (strand
// ends, outstanding results) follows these edges; what concerns one lane's values follows ControlFlow's.

#include <vector>

#include "models/compiler/control_flow.h"
#include "models/compiler/divergence.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// A branch that may send lanes of one warp both ways.
struct Split {
  int block = kNoBlock;
  int first = kNoBlock;        ///< the fall-through side: runs first (kNoBlock if it is `meet`)
  int second = kNoBlock;       ///< the other side (kNoBlock if it is `meet`)
  int meet = kNoBlock;         ///< kNoBlock: at exit
  std::vector<int> on_first;   ///< blocks that may run while the second side's lanes wait for their turn
  std::vector<int> on_second;  ///< blocks that may run behind them
};

class WarpFlow {
 public:
  /// Needs Instruction::reconvergence of every guarded branch.
  WarpFlow(const isa::Program& program, const ControlFlow& flow, const Divergence& divergence);

  const std::vector<Split>& splits() const { return splits_; }
  /// Blocks whose last instruction may be the one that the warp issued before the first of `block`;
  /// ascending.
  const std::vector<int>& predecessors(int block) const {
    return predecessors_[static_cast<std::size_t>(block)];
  }
  const std::vector<int>& successors(int block) const { return successors_[static_cast<std::size_t>(block)]; }

 private:
  void add(int from, int to);

  std::vector<Split> splits_;
  std::vector<std::vector<int>> predecessors_, successors_;
};

}  // namespace heddle::compiler
