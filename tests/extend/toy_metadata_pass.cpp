// A plug-in compiler pass: inserts metadata at the start of every block and after a fixed number of
// instructions. The payload is the position in the program.

#include <vector>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/rewrite.h"

namespace heddle::compiler {
namespace {

struct ScatterParameters {
  int every = 3;
  void fields(FieldVisitor& v) { v.field("every", every, {1, 1000}, "instructions between metadata"); }
};

class ToyScatter : public ICompilerPass {
 public:
  ToyScatter(const ScatterParameters& p, Context&) : every_(static_cast<std::uint32_t>(p.every)) {}
  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const ControlFlow& flow = unit.control_flow();
    std::vector<bool> starts(unit.program().code.size(), false);
    for (int b = 0; b < flow.size(); ++b) starts[flow.block(b).first] = true;
    std::uint32_t behind = 0;
    rewrite(unit.edit(), [&](std::size_t n, const isa::Instruction& instruction, Replacement& out) {
      behind = starts[n] ? 0 : behind + 1;
      if (behind % every_ == 0) {
        isa::Instruction word = make_overhead(instruction, isa::Opcode::nop, isa::DataType::none);
        word.overhead = false;
        word.metadata = true;
        word.payload = kMark | n;
        out.emit(word);
      }
      out.emit(instruction);
    });
  }

 private:
  static constexpr std::uint64_t kMark = 0xa5a5ull << 48;
  std::uint32_t every_;
};

const Registration<ICompilerPass, ToyScatter, ScatterParameters> toy_metadata_pass_entry{
    "toy-scatter", "metadata all over the program"};

}  // namespace
}  // namespace heddle::compiler
