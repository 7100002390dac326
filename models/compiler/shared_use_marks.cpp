// Marks results that a shared unit (special functions, memory) may read. In some register caches, these units
// cannot access the first level (Gebhart 2012, 4.7: one bit per instruction).

#include "models/compiler/analyses/access_energy.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

class SharedUseMarks : public ICompilerPass {
 public:
  SharedUseMarks(const NoParameters&, Context&) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const ControlFlow& flow = unit.control_flow();
    isa::Program& program = unit.annotate();
    const auto blocks = static_cast<std::size_t>(flow.size());
    std::vector<BlockAccesses> accesses(blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
      const BasicBlock& block = flow.block(static_cast<int>(b));
      BitSet use(program.registers), kill(program.registers);
      for (std::uint32_t n = block.end; n-- > block.first;) {
        step(program.code[n], use);
        if (writes_all_active_lanes(program.code[n]))
          for_each_written_word(program.code[n], [&](std::uint32_t w) { kill.set(w); });
      }
      use.for_each([&](std::size_t w) { accesses[b].exposed.push_back(static_cast<std::uint32_t>(w)); });
      kill.for_each([&](std::size_t w) { accesses[b].killed.push_back(static_cast<std::uint32_t>(w)); });
    }
    const BlockLiveness live(flow, program.registers, accesses);
    for (std::size_t b = 0; b < blocks; ++b) {
      BitSet needed(program.registers);
      live.out(static_cast<int>(b)).for_each([&](std::size_t bit) { needed.set(live.member_of(bit)); });
      const BasicBlock& block = flow.block(static_cast<int>(b));
      for (std::uint32_t n = block.end; n-- > block.first;) {
        mark(program.code[n], needed);
        step(program.code[n], needed);
      }
    }
  }

 private:
  static void step(const Instruction& i, BitSet& needed) {
    if (writes_all_active_lanes(i)) for_each_written_word(i, [&](std::uint32_t w) { needed.reset(w); });
    if (is_shared_unit(i)) for_each_read_word(i, [&](std::uint32_t w) { needed.set(w); });
  }

  static void mark(Instruction& i, const BitSet& needed) {
    for (isa::Operand& o : i.destinations()) {
      bool shared = false;
      for_each_word(o, [&](std::uint32_t w) { shared = shared || needed.test(w); });
      o.annotation.shared_use = shared;
    }
  }
};

const Registration<ICompilerPass, SharedUseMarks> shared_use_marks_entry{
    "shared-use-marks",
    "marks results that special-function or memory units may read",
    {.kinds = {"mark"}, .before = {"numbering"}}};

}  // namespace
}  // namespace heddle::compiler
