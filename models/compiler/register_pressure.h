#pragma once

// Selects variables to spill in programs whose interference graph would be too large to build.

#include <vector>

#include "models/compiler/analyses/interference.h"
#include "models/compiler/spill.h"

namespace heddle::compiler {

/// Returns the variables to spill so that at most `registers` words (or predicates) are live at any
/// instruction. Spills variables with the fewest expected accesses first. Returns nothing if the interference
/// graph is small enough to build, or if never more than 2 * `registers` words are live.
std::vector<int> relieve_pressure(const isa::Program& program, const ControlFlow& flow,
                                  const Variables& variables, RegisterClass cls,
                                  const Temporaries& temporaries, int registers);

}  // namespace heddle::compiler
