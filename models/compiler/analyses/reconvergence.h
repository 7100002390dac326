#pragma once

// Reconvergence points of divergent branches: their immediate post-dominators.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Effect of paths that end in exit on the reconvergence points of other lanes.
enum class ExitRule {
  /// Every exit, guarded or not, leads to one virtual end that post-dominates all blocks. A branch around a
  /// path that exits therefore reconverges only at the end.
  end_of_all,
  /// Lanes that exit do not affect other lanes, as in hardware and in all executors of Heddle. Paths that
  /// only lead to an early exit are ignored, guarded exits are no edges, and a branch to a bare exit counts
  /// as a separate exit.
  leave,
};

/// For each block, the block where the lanes split by its branch reconverge. kNoBlock: at exit, or the end
/// cannot be reached (endless loop).
std::vector<int> reconvergence_blocks(const isa::Program& program, const ControlFlow& flow, ExitRule rule);

/// Sets Instruction::reconvergence of all guarded branches.
void set_reconvergence(isa::Program& program, const ControlFlow& flow, ExitRule rule);

}  // namespace heddle::compiler
