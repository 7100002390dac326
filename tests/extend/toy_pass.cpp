// A plug-in compiler pass: marks the result of every memory instruction as having long latency.

#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

class ToyMarks : public ICompilerPass {
 public:
  ToyMarks(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::after_allocation; }
  void run(CompilationUnit& unit) override {
    for (isa::Instruction& instruction : unit.annotate().code)
      if (instruction.is_memory())
        for (isa::Operand& result : instruction.destinations()) result.annotation.long_latency = true;
  }
};

const Registration<ICompilerPass, ToyMarks> toy_pass_entry{"toy-marks", "marks results of memory"};

}  // namespace
}  // namespace heddle::compiler
