// Marks source operands that are the warp's last read of a value, and results that the warp never reads
// (Gebhart 2012, 4.7; Bailey 2018, III-A 2). If an instruction reads a register several times, only the last
// of these operands is marked.

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

using isa::Operand;

struct LivenessHintParameters {
  bool last_use = true;
  bool dead = true;
  void fields(FieldVisitor& v) {
    v.field("last_use", last_use, "mark sources that are read for the last time");
    v.field("dead", dead, "mark results that are never read");
  }
};

class LivenessHints : public ICompilerPass {
 public:
  LivenessHints(const LivenessHintParameters& parameters, Context&) : parameters_(parameters) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const WarpLiveSets& live = unit.warp_liveness();
    isa::Program& program = unit.annotate();
    for (std::size_t n = 0; n < program.code.size(); ++n) {
      if (parameters_.last_use) mark_sources(program, live, n);
      if (parameters_.dead) mark_destinations(program, live, n);
    }
  }

 private:
  static void mark_sources(isa::Program& program, const WarpLiveSets& live, std::size_t n) {
    const auto sources = program.code[n].sources();
    for (std::size_t s = 0; s < sources.size(); ++s) {
      Operand& o = sources[s];
      if (!o.is_reg()) continue;
      bool dies = true;
      for_each_word(o, [&](std::uint32_t w) { dies = dies && live.dies_at(program, n, w); });
      for (std::size_t later = s + 1; later < sources.size(); ++later)
        dies = dies && !shares_a_word(o, sources[later]);
      o.annotation.last_use = dies;
    }
  }

  static void mark_destinations(isa::Program& program, const WarpLiveSets& live, std::size_t n) {
    for (Operand& o : program.code[n].destinations()) {
      if (!o.is_reg()) continue;
      bool read = false;
      for_each_word(o, [&](std::uint32_t w) { read = read || live.word_after(n, w); });
      o.annotation.dead = !read;
    }
  }

  LivenessHintParameters parameters_;
};

const Registration<ICompilerPass, LivenessHints, LivenessHintParameters> liveness_hints_entry{
    "liveness-hints",
    "marks last uses of registers and results that are never read",
    {.kinds = {"mark"}, .before = {"shared-use-marks", "numbering"}}};

}  // namespace
}  // namespace heddle::compiler
