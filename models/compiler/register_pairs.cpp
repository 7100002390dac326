// Assigns pairs of registers to shared rows of a bank, for register files in which a row can hold two registers
// (CORF). Registers that instructions most often read together become partners, so that one access reads both.
// Only annotates the program.

#include "models/compiler/analyses/read_together.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

class RegisterPairs : public ICompilerPass {
 public:
  RegisterPairs(const NoParameters&, Context&) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const ControlFlow& flow = unit.control_flow();
    isa::Program& program = unit.annotate();
    const std::vector<std::uint16_t> partner = choose_pairs(program.registers, read_together(program, flow));
    program.register_hints.resize(program.registers);
    for (std::uint32_t r = 0; r < program.registers; ++r) program.register_hints[r].partner = partner[r];
  }
};

const Registration<ICompilerPass, RegisterPairs> register_pairs_entry{
    "register-pairs",
    "registers that are most often read together share a row (CORF)",
    {.kinds = {"register-hint"}, .before = {"flags"}}};

}  // namespace
}  // namespace heddle::compiler
