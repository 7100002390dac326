#pragma once

// Takes variables out of registers: general ones into local memory (or recomputes them where they are
// constants), predicates into general registers.

#include <vector>

#include "models/compiler/analyses/interference.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// What is known of the words (or predicates) that spill code brought, by number; false for all others.
struct Temporaries {
  std::vector<bool> temporary;  ///< lives around one instruction: spilling it gains nothing
  std::vector<bool>
      fresh;  ///< every read follows a write under the same guard: even a guarded write begins its life
  void resize(std::size_t size) {
    temporary.resize(size, false);
    fresh.resize(size, false);
  }
};

/// Replaces every access to the spilled variables by short-lived temporaries with loads before and stores
/// after. New words and predicates get numbers after the existing ones; `temporaries` grows along. Local
/// memory of the program grows by the slots, 4 or 8 bytes each; variables that do not interfere share one. Without
/// a graph each has its own.
///
/// A guarded write spills under the same guard; where the instruction changes its own guard or writes
/// predicates (whose registers are given out already), the old value is fetched first and all lanes are
/// stored.
void spill_general(isa::Program& program, const Variables& variables, const InterferenceGraph* graph,
                   const std::vector<int>& spilled, Temporaries& temporaries);

/// The general register that keeps a predicate holds 0 or 1.
void spill_predicates(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
                      Temporaries& temporaries);

}  // namespace heddle::compiler
