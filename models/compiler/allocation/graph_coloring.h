#pragma once

// Colours an interference graph: Chaitin's simplification with Briggs' optimistic choice, for variables of
// one register and of an even-aligned pair of registers.

#include <vector>

#include "models/compiler/analyses/interference.h"

namespace heddle::compiler {

struct Coloring {
  std::vector<int> color;    ///< first register by variable, -1 = none
  std::vector<int> spilled;  ///< variables to take out of registers before the next attempt
  bool stuck = false;  ///< a pinned variable found no register although nothing around it can be spilled
};

/// `pinned[v]`: spilling v gains nothing (it is a temporary of spill code). Done if `spilled` is empty and
/// not stuck.
Coloring color_graph(const Variables& variables, const InterferenceGraph& graph, int colors,
                     const std::vector<bool>& pinned);

}  // namespace heddle::compiler
