#pragma once

// Spill code. General registers are spilled to local memory, or recomputed if they hold a constant.
// Predicates are spilled to general registers.

#include <vector>

#include "models/compiler/analyses/interference.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Properties of the words or predicates that spill code introduced, by number; false for all others.
struct Temporaries {
  std::vector<bool> temporary;  ///< live only around one instruction, so spilling it gains nothing
  /// Every read follows a write under the same guard, so that even a guarded write begins its live range.
  std::vector<bool> fresh;
  void resize(std::size_t size) {
    temporary.resize(size, false);
    fresh.resize(size, false);
  }
};

/// Replaces every access to the spilled variables by temporaries, with a load before and a store after the
/// instruction. New words and predicates are numbered after the existing ones, and `temporaries` is extended.
/// Local memory grows by slots of 4 or 8 bytes. With `graph`, variables that do not interfere share a slot;
/// without it, each variable has its own slot.
///
/// A guarded write is stored under the same guard. If the instruction changes its guard or writes predicates
/// (whose registers are already allocated), the old value is loaded first and all lanes are stored.
void spill_general(isa::Program& program, const Variables& variables, const InterferenceGraph* graph,
                   const std::vector<int>& spilled, Temporaries& temporaries);

/// The general register of a spilled predicate holds 0 or 1.
void spill_predicates(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
                      Temporaries& temporaries);

}  // namespace heddle::compiler
