// Replaces loads of kernel parameters (ld.param) from constant addresses by moves from a parameter operand.
// GPUs also read parameters as operands, from a constant bank.

#include "models/compiler/i_compiler_pass.h"
#include "models/isa/address_map.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Operand;

class FoldParameters : public ICompilerPass {
 public:
  FoldParameters(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::before_allocation; }

  void run(CompilationUnit& unit) override {
    isa::Program& program = unit.edit();
    for (Instruction& i : program.code) fold(i, program.parameter_bytes);
  }

 private:
  static void fold(Instruction& i, std::uint64_t parameter_bytes) {
    if (i.op != isa::Opcode::ld || i.memory.space != isa::Space::param || i.memory.elements != 1) return;
    if (i.num_dst != 1 || !i.dst[0].is_reg() || i.dst[0].bits != i.memory.element_bytes * 8) return;
    const Operand& address = i.src[0];
    if (address.kind != Operand::Kind::immediate && address.kind != Operand::Kind::param) return;
    std::uint64_t offset = address.value + static_cast<std::uint64_t>(i.memory.offset);
    if (address.kind == Operand::Kind::immediate) offset -= isa::kParamWindow;
    if (offset > parameter_bytes || parameter_bytes - offset < i.memory.element_bytes) return;
    i.op = isa::Opcode::mov;
    i.memory = {};
    i.src[0] = Operand::make_param(offset, i.dst[0].bits);
    i.lane_function = nullptr;
    classify(i);
  }
};

const Registration<ICompilerPass, FoldParameters> fold_parameters_entry{
    "fold-parameters",
    "loads of kernel parameters from constant addresses become operands",
    {.kinds = {"clean-up"}, .before = {"fold-conversions", "transformation", "allocation"}}};

}  // namespace
}  // namespace heddle::compiler
