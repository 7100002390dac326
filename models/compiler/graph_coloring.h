#pragma once

// Colours an interference graph with Chaitin's simplification and Briggs' optimistic colouring. Variables
// occupy one register or an even-aligned pair.

#include <vector>

#include "models/compiler/analyses/interference.h"

namespace heddle::compiler {

struct Coloring {
  std::vector<int> color;    ///< first register by variable, -1 = none
  std::vector<int> spilled;  ///< variables to spill before the next attempt
  bool stuck = false;        ///< a pinned variable has no register and no neighbour can be spilled
};

/// `pinned[v]`: v is a temporary of spill code, so spilling it gains nothing. The colouring is complete if
/// `spilled` is empty and `stuck` is false.
Coloring color_graph(const Variables& variables, const InterferenceGraph& graph, int colors,
                     const std::vector<bool>& pinned);

}  // namespace heddle::compiler
