#pragma once

// Assigns registers by colouring an interference graph: Chaitin's simplification and Briggs' optimistic
// colouring. A variable occupies one register, or an aligned group of 2, 4 or 8 registers.

#include <vector>

#include "models/compiler/analyses/interference.h"

namespace heddle::compiler {

struct Coloring {
  std::vector<int> color;    ///< For each variable: its first register, or -1.
  std::vector<int> spilled;  ///< Variables to spill before the colouring is repeated.
  /// True: the program does not fit in the registers. A pinned variable (temporary of spill code) found no
  /// register, and none of its neighbours can be spilled.
  bool stuck = false;
};

/// Colours the graph with `colors` registers. `pinned[v]`: v is a temporary of spill code, so spilling it
/// again would save no register. If `spilled` is empty and `stuck` is false, every variable has a register.
Coloring color_graph(const Variables& variables, const InterferenceGraph& graph, int colors,
                     const std::vector<bool>& pinned);

}  // namespace heddle::compiler
