// Inserts metadata instructions at the beginning of the program. They give the register hints of the passes
// register-sides and register-pairs to the hardware (hint_words.h). Every warp fetches and decodes these
// instructions once, which costs fetch slots and energy. A program without hints does not change.

#include <vector>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/rewrite.h"
#include "models/core/error.h"
#include "models/isa/hint_words.h"

namespace heddle::compiler {
namespace {

class HintWords : public ICompilerPass {
 public:
  HintWords(const NoParameters&, Context&) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const std::vector<std::uint64_t> words = isa::encode_hints(unit.program().register_hints);
    if (words.empty()) return;
    rewrite(unit.edit(), [&](std::size_t n, const isa::Instruction& instruction, Replacement& out) {
      if (n == 0)
        for (const std::uint64_t payload : words) {
          isa::Instruction word = make_overhead(instruction, isa::Opcode::nop, isa::DataType::none);
          word.overhead = false;
          word.metadata = true;
          word.payload = payload;
          out.emit(word);
        }
      out.emit(instruction);
    });
  }

  void check(const isa::Program& program) const override {
    std::vector<isa::RegisterHint> hints = program.register_hints;
    hints.resize(program.registers);
    if (isa::decode_hints(program) != hints)
      throw Error(program.kernel,
                  "the metadata words encode other register hints than the compiler has chosen");
  }
};

const Registration<ICompilerPass, HintWords> hint_words_entry{
    "hint-words",
    "metadata at the beginning of the program passes the hints of register-sides and register-pairs to the "
    "hardware "
    "(CORF)",
    {.kinds = {"flags"},
     .before = {"release-flags"},
     .after = {"register-hint", "numbering", "mark", "value-levels"}}};

}  // namespace
}  // namespace heddle::compiler
