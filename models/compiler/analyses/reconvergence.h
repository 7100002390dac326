#pragma once

// Computes the reconvergence points of divergent branches: their immediate post-dominators.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// How exits on some paths affect where the other lanes of the warp reconverge.
enum class ExitRule {
  /// All exits lead to one virtual end block. If a path after a branch exits, the branch reconverges only at
  /// this end.
  end_of_all,
  /// Lanes that exit do not affect where the other lanes reconverge, as in hardware and in Heddle's timed
  /// and untimed execution. Paths that only lead to an early exit are ignored.
  leave,
};

/// Returns, for each block, the block at which the lanes reconverge after the branch at the end of the block.
/// kNoBlock: the lanes reconverge only at exit, or never because of an endless loop.
std::vector<int> reconvergence_blocks(const isa::Program& program, const ControlFlow& flow, ExitRule rule);

void set_reconvergence(isa::Program& program, const ControlFlow& flow, ExitRule rule);

}  // namespace heddle::compiler
