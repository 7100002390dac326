#pragma once

// Spilling for programs with so many live values that an interference graph would exceed memory: most values
// must be spilled anyway, and they can be chosen without the graph.

#include <vector>

#include "models/compiler/allocation/spill.h"
#include "models/compiler/analyses/interference.h"

namespace heddle::compiler {

/// Variables to spill so that nowhere more than `registers` words (predicates) are live, those with the
/// fewest expected accesses first; none where the graph is small enough to be built.
std::vector<int> relieve_pressure(const isa::Program& program, const ControlFlow& flow,
                                  const Variables& variables, RegisterClass cls,
                                  const Temporaries& temporaries, int registers);

}  // namespace heddle::compiler
