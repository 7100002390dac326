#pragma once

// Deliberate faults: compiler passes that break a program at one place. They are registered only in the test
// program. If a program has no suitable place for the fault, the pass throws Error.

#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler::test {

/// `Break`: function that inserts the fault. It returns false if it finds no suitable place.
template <bool (*Break)(CompilationUnit&), PassStage Stage>
class FaultPass : public ICompilerPass {
 public:
  FaultPass(const NoParameters&, Context&) {}
  PassStage stage() const override { return Stage; }
  void run(CompilationUnit& unit) override {
    if (!Break(unit)) throw Error(unit.program().kernel, "the fault finds nothing to break");
  }
};

template <bool (*Break)(CompilationUnit&)>
using FaultBefore = FaultPass<Break, PassStage::before_allocation>;
template <bool (*Break)(CompilationUnit&)>
using FaultAfter = FaultPass<Break, PassStage::after_allocation>;

}  // namespace heddle::compiler::test
