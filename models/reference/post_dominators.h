#pragma once

// Computes the immediate post-dominators of a program, at which divergent lanes reconverge. The code is
// deliberately independent of models/compiler, so that it can check the compiler.
//
// Paths that exit early are ignored:
// - An `exit` with a guard is no edge of the graph.
// - A block that consists only of an `exit` counts as a separate exit for every edge into it.
// - The exit that most blocks reach becomes the end of these blocks. If several exits are reached by equally
//   many blocks, the last exit in the program is chosen.
// - Edges between blocks with different ends are removed.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"

namespace heddle::reference {

/// Returns for each instruction the index of its immediate post-dominator, on the paths that do not exit
/// early. isa::kNoTarget: the post-dominator is the end of the program, or no path leads to the end. Throws
/// Error for a branch target outside the program, and for a path that runs past the last instruction.
std::vector<std::int32_t> immediate_post_dominators(const isa::Program& program);

}  // namespace heddle::reference
