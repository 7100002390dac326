#pragma once

// Assigns registers by colouring an interference graph, with Chaitin's simplification and Briggs' optimistic
// colouring. A variable occupies one register or an even-aligned pair of registers.

#include <vector>

#include "models/compiler/analyses/interference.h"

namespace heddle::compiler {

struct Coloring {
  std::vector<int> color;    ///< for each variable: its first register; -1 if the variable has none
  std::vector<int> spilled;  ///< variables to spill before the colouring is repeated
  /// A pinned variable found no register, and none of its neighbours can be spilled, so the program does not
  /// fit.
  bool stuck = false;
};

/// Colours the graph with `colors` registers. `pinned[v]` is true if v is a temporary of spill code, which
/// must not be spilled again because this gains nothing. Every variable has a register if `spilled` is empty
/// and `stuck` is false.
Coloring color_graph(const Variables& variables, const InterferenceGraph& graph, int colors,
                     const std::vector<bool>& pinned);

}  // namespace heddle::compiler
