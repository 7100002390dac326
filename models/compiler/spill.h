#pragma once

// Inserts spill code for variables that get no register. General registers are spilled to local memory, or
// recomputed if they hold a constant. Predicates are spilled to general registers.

#include <vector>

#include "models/compiler/analyses/interference.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Facts about register words and predicates, by number. `temporary`: spill code has added the word or
/// predicate.
struct Temporaries {
  std::vector<bool> temporary;
  /// For each word: true if every read follows a write under the same guard. No read then needs the word's
  /// value from before a guarded write, so such a write begins a live range.
  std::vector<bool> fresh;
  void resize(std::size_t size) {
    temporary.resize(size, false);
    fresh.resize(size, false);
  }
};

/// Replaces every access to the spilled variables by a temporary register, with a load before and a store after
/// the instruction. New words and predicates get numbers after the existing words and predicates. Variables
/// that do not interfere in `graph` share a slot of local memory. If the instruction writes the variable under
/// a guard, the store has the same guard. Exception: if the instruction changes this guard or writes
/// predicates, the old value is loaded first and the store is not guarded.
void spill_general(isa::Program& program, const Variables& variables, const InterferenceGraph* graph,
                   const std::vector<int>& spilled, Temporaries& temporaries);

/// Spills predicates to general registers, which hold 0 or 1 instead.
void spill_predicates(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
                      Temporaries& temporaries);

}  // namespace heddle::compiler
