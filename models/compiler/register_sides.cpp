// Assigns registers with narrow values to the left or right side of a row (CORF++). Registers that are read
// together get opposite sides, so that one access reads both. The result may be a local optimum, because the
// problem is NP-hard.

#include "models/compiler/analyses/read_together.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

class RegisterSides : public ICompilerPass {
 public:
  RegisterSides(const NoParameters&, Context&) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const ControlFlow& flow = unit.control_flow();
    isa::Program& program = unit.annotate();
    const std::vector<bool> left = choose_sides(program.registers, read_together(program, flow));
    program.register_hints.resize(program.registers);
    for (std::uint32_t r = 0; r < program.registers; ++r) program.register_hints[r].left = left[r];
  }
};

const Registration<ICompilerPass, RegisterSides> register_sides_entry{
    "register-sides",
    "registers that are read together lie on opposite sides of their rows (CORF++)",
    {.kinds = {"register-hint"}, .before = {"register-pairs", "flags"}}};

}  // namespace
}  // namespace heddle::compiler
