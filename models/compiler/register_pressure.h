#pragma once

// Spilling for programs with so many live values that the interference graph would exceed memory. Most values
// must be spilled in any case, and they can be selected without the graph.

#include <vector>

#include "models/compiler/analyses/interference.h"
#include "models/compiler/spill.h"

namespace heddle::compiler {

/// Variables to spill so that at most `registers` words (or predicates) are live everywhere, those with the
/// fewest expected accesses first. Empty if the interference graph is small enough.
std::vector<int> relieve_pressure(const isa::Program& program, const ControlFlow& flow,
                                  const Variables& variables, RegisterClass cls,
                                  const Temporaries& temporaries, int registers);

}  // namespace heddle::compiler
