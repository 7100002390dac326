#pragma once

// Programs with so many values live at once that a graph of who interferes with whom would fill the memory:
// most of them must be spilled anyway, and which can be told without the graph.

#include <vector>

#include "models/compiler/interference.h"
#include "models/compiler/spill.h"

namespace heddle::compiler {

/// Variables to spill so that nowhere more than `registers` words (predicates) are live, those with the
/// fewest expected accesses first; none where the graph is small enough to be built.
std::vector<int> relieve_pressure(const isa::Program& program, const ControlFlow& flow,
                                  const Variables& variables, RegisterClass cls,
                                  const Temporaries& temporaries, int registers);

}  // namespace heddle::compiler
