// Ranks registers by their number of accesses in the program text, for techniques that place frequently used
// registers in a fast part of the register file. An access counts loop_weight times more for each enclosing
// loop. The compiler note "register-ranks" lists the registers in descending order. (Abdel-Majeed 2016, 6.3,
// rejects this static count and instead measures the accesses of a pilot warp.)

#include <algorithm>
#include <numeric>

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

struct RegisterRanksParameters {
  int loop_weight = 10;
  void fields(FieldVisitor& v) {
    v.field("loop_weight", loop_weight, {1, 1000},
            "assumed executions of a loop's body each time the loop is entered");
  }
};

class RegisterRanks : public ICompilerPass {
 public:
  RegisterRanks(const RegisterRanksParameters& parameters, Context&)
      : weight_(static_cast<std::uint64_t>(parameters.loop_weight)) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const isa::Program& program = unit.program();
    const std::vector<std::uint64_t> times = executions(program);
    std::vector<std::uint64_t> accesses(program.registers);
    for (std::size_t n = 0; n < program.code.size(); ++n) {
      const isa::Instruction& i = program.code[n];
      if (i.metadata || i.unit == isa::UnitClass::control) continue;
      const auto add = [&](std::uint32_t w) { accesses[w] += times[n]; };
      for_each_read_word(i, add);
      for_each_written_word(i, add);
    }
    std::vector<std::uint64_t> ranks(accesses.size());
    std::iota(ranks.begin(), ranks.end(), 0u);
    std::erase_if(ranks, [&](std::uint64_t r) { return accesses[r] == 0; });
    std::stable_sort(ranks.begin(), ranks.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return accesses[a] > accesses[b]; });
    unit.annotate().notes.attach({"register-ranks", std::move(ranks)});
  }

 private:
  // Expected number of executions of each instruction: loop_weight to the power of the number of enclosing
  // loops. At most four enclosing loops count. A loop extends from the target of a backward branch to the
  // branch.
  std::vector<std::uint64_t> executions(const isa::Program& program) const {
    std::vector<int> depth(program.code.size());
    for (std::size_t n = 0; n < program.code.size(); ++n) {
      const isa::Instruction& i = program.code[n];
      if (i.op != isa::Opcode::bra || i.target < 0) continue;
      for (auto k = static_cast<std::size_t>(i.target); k <= n; ++k) ++depth[k];
    }
    std::vector<std::uint64_t> times(depth.size(), 1);
    for (std::size_t n = 0; n < depth.size(); ++n)
      for (int d = std::min(depth[n], 4); d > 0; --d) times[n] *= weight_;
    return times;
  }

  std::uint64_t weight_;
};

const Registration<ICompilerPass, RegisterRanks, RegisterRanksParameters> register_ranks_entry{
    "register-ranks",
    "ranks registers by their static number of accesses, weighted by loops",
    {.kinds = {"register-hint"}, .before = {"register-sides", "flags"}}};

}  // namespace
}  // namespace heddle::compiler
