#pragma once

// Inserts spill code for variables that get no register. General registers are spilled to local memory, or
// recomputed if they hold a constant. Predicates are spilled to general registers.

#include <vector>

#include "models/compiler/analyses/interference.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Properties of the register words or predicates that spill code introduced, by number. Both properties are
/// false for all other words and predicates.
struct Temporaries {
  /// The word or predicate is live only around one instruction, so spilling it again gains nothing.
  std::vector<bool> temporary;
  /// Every read of the word or predicate follows a write under the same guard. Therefore even a guarded write
  /// begins a live range of the word or predicate.
  std::vector<bool> fresh;
  void resize(std::size_t size) {
    temporary.resize(size, false);
    fresh.resize(size, false);
  }
};

/// Replaces every access to the spilled variables by a temporary register, with a load before and a store
/// after the instruction. New words and predicates get numbers after the existing ones, and `temporaries` is
/// extended. Local memory grows by slots of 4 or 8 bytes. With `graph`, variables that do not interfere share
/// a slot. Without `graph`, each variable has its own slot.
///
/// A guarded write is stored under the same guard. The guard cannot be used for the store if the instruction
/// changes it or writes predicates, because predicates are already allocated. In this case, the old value is
/// loaded first and the store is not guarded.
void spill_general(isa::Program& program, const Variables& variables, const InterferenceGraph* graph,
                   const std::vector<int>& spilled, Temporaries& temporaries);

/// Spills predicates to general registers. The general register holds 0 or 1.
void spill_predicates(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
                      Temporaries& temporaries);

}  // namespace heddle::compiler
