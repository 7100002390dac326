// Marks the results of long-latency operations such as global loads. Some register hierarchies write these
// results only to the main register file (Gebhart 2012, 4.6).

#include "models/compiler/analyses/long_latency.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

class LongLatencyMarks : public ICompilerPass {
 public:
  LongLatencyMarks(const NoParameters&, Context&) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    for (isa::Instruction& i : unit.annotate().code)
      for (isa::Operand& o : i.destinations())
        if (o.is_reg()) o.annotation.long_latency = is_long_latency(i);
  }
};

const Registration<ICompilerPass, LongLatencyMarks> long_latency_marks_entry{
    "long-latency-marks",
    "marks the results of loads and atomics on global, local and generic memory",
    {.kinds = {"mark"}, .before = {"liveness-hints", "numbering"}}};

}  // namespace
}  // namespace heddle::compiler
