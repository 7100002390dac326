#pragma once

// Deliberate faults: compiler passes that make a program wrong at one position. Only the test program
// registers these passes. Such a pass throws Error if the program has no suitable position.

#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler::test {

/// A pass that inserts a fault by `Break`. `Break` must return false if the program has no suitable position.
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
