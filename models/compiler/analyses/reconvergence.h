#pragma once

// Where the lanes of a divergent branch meet again: the branch's immediate post-dominator.

#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Effect of a path that ends in exit on the reconvergence point of the other lanes.
enum class ExitRule {
  /// Every exit, guarded or not, leads to one virtual end that post-dominates everything: a branch around a
  /// path that exits has no reconvergence point before the end.
  end_of_all,
  /// Lanes that exit leave the others alone (what every executor of Heddle does, as hardware): paths that
  /// only lead to an early exit are ignored, guarded exits are no edges, and a branch to a bare exit counts
  /// as an exit of its own.
  leave,
};

/// For each block the block where the lanes that its branch splits meet again; kNoBlock = at exit, or the end
/// cannot be reached (endless loop).
std::vector<int> reconvergence_blocks(const isa::Program& program, const ControlFlow& flow, ExitRule rule);

/// Writes Instruction::reconvergence of every guarded branch.
void set_reconvergence(isa::Program& program, const ControlFlow& flow, ExitRule rule);

}  // namespace heddle::compiler
