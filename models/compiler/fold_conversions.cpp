// Replaces conversions that change no bit by moves: cvt between integers of equal width, and cvta. In
// Heddle's address map, an address within a state space equals its generic address.

#include "models/compiler/i_compiler_pass.h"
#include "models/isa/type_of_width.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;

bool changes_nothing(const Instruction& i) {
  if (i.num_dst != 1 || i.num_src != 1 || !i.dst[0].is_reg() || i.dst[0].bits != i.src[0].bits) return false;
  if (i.op == Opcode::cvta) return true;
  if (i.op != Opcode::cvt || isa::is_float(i.type) || isa::is_float(i.source_type) || i.modifiers.sat)
    return false;
  return isa::bits_of(i.type) == isa::bits_of(i.source_type) && isa::bits_of(i.type) == i.dst[0].bits;
}

class FoldConversions : public ICompilerPass {
 public:
  FoldConversions(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::before_allocation; }

  void run(CompilationUnit& unit) override {
    for (Instruction& i : unit.edit().code) {
      if (!changes_nothing(i)) continue;
      i.op = Opcode::mov;
      i.type = isa::bit_type(i.dst[0].bits);
      i.source_type = i.type;
      i.modifiers = {};
      i.memory = {};
      i.lane_function = nullptr;
      classify(i);
    }
  }
};

const Registration<ICompilerPass, FoldConversions> fold_conversions_entry{
    "fold-conversions",
    "cvta and integer conversions of equal width become moves",
    {.kinds = {"clean-up"}, .before = {"propagate-copies", "transformation", "allocation"}}};

}  // namespace
}  // namespace heddle::compiler
