#pragma once

// Computes the reconvergence points of divergent branches: their immediate post-dominators.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// How paths that end in exit affect where the other lanes of the warp reconverge.
enum class ExitRule {
  /// Every exit leads to one virtual end block that post-dominates all blocks. If one path after a branch
  /// exits, the branch reconverges only at the end.
  end_of_all,
  /// Lanes that exit do not affect where the other lanes reconverge, as in hardware and in all executors of
  /// Heddle. Paths that only lead to an early exit are ignored.
  leave,
};

/// Returns, for each block, where the lanes reconverge that its branch has split. kNoBlock: only at exit, or
/// an endless loop prevents it.
std::vector<int> reconvergence_blocks(const isa::Program& program, const ControlFlow& flow, ExitRule rule);

void set_reconvergence(isa::Program& program, const ControlFlow& flow, ExitRule rule);

}  // namespace heddle::compiler
