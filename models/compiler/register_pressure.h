#pragma once

// Selects variables to spill in programs with so many live values that the interference graph would not fit
// in memory. Most of these values must be spilled in any case, so no graph is needed to select them.

#include <vector>

#include "models/compiler/analyses/interference.h"
#include "models/compiler/spill.h"

namespace heddle::compiler {

/// Returns the variables to spill so that at most `registers` words (or predicates) are live at any
/// instruction. Variables with the fewest expected accesses are spilled first. The result is empty if the
/// interference graph is small enough, because colouring the graph then selects the variables.
std::vector<int> relieve_pressure(const isa::Program& program, const ControlFlow& flow,
                                  const Variables& variables, RegisterClass cls,
                                  const Temporaries& temporaries, int registers);

}  // namespace heddle::compiler
