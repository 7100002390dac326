#pragma once

// Immediate post-dominators of a program, for reconvergence. The code is deliberately independent of
// models/compiler.
//
// Paths that exit early are ignored. A guarded `exit` is no edge of the graph. A block that is only `exit` is a
// separate exit for every edge into it. The exit that most blocks reach (of equals the last in the program) is
// the end of these blocks. The same rule is applied to the remaining blocks, and so on. Edges between blocks of
// different ends are dropped.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"

namespace heddle::reference {

/// For each instruction, the index of its immediate post-dominator on the paths that do not exit early.
/// isa::kNoTarget if that is the end of the program or if the end cannot be reached. Throws Error for a
/// branch target outside the program and for a path that runs past the last instruction.
std::vector<std::int32_t> immediate_post_dominators(const isa::Program& program);

}  // namespace heddle::reference
