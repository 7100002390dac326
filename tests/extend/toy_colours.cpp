// A plug-in compiler pass that attaches notes: a colour to each result, a weight to each instruction, and a
// number to each basic block. A colour depends only on the instruction, so tests can check that later passes
// keep the colour.

#include <fmt/format.h>

#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

struct ColourParameters {
  int colours = 3;
  void fields(FieldVisitor& v) { v.field("colours", colours, {1, 4}, "number of colours"); }
};

class ToyColours : public ICompilerPass {
 public:
  ToyColours(const ColourParameters& p, Context&) : colours_(static_cast<std::uint64_t>(p.colours)) {}
  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const ControlFlow& flow = unit.control_flow();
    isa::Program& program = unit.annotate();
    for (std::size_t n = 0; n < program.code.size(); ++n) {
      isa::Instruction& i = program.code[n];
      if (i.metadata) continue;
      for (isa::Operand& o : i.destinations())
        if (o.is_reg()) o.notes = program.notes.with(o.notes, {"toy-colour", {colour(i)}});
      i.notes = program.notes.with(i.notes, {"toy-weight", {1 + i.num_src * std::uint64_t{1}}});
      i.notes =
          program.notes.with(i.notes, {"toy-block", {static_cast<std::uint64_t>(flow.block_of(n))}, true});
    }
    program.notes.attach({"toy-colours", {colours_}});
  }

  void check(const isa::Program& program) const override {
    const isa::NotedWords colours(program.notes, "toy-colour"), blocks(program.notes, "toy-block");
    for (const isa::Instruction& i : program.code) {
      if (i.metadata) continue;
      for (const isa::Operand& o : i.destinations())
        if (o.is_reg() && !i.overhead && (colours.in(o.notes).empty() || colours.in(o.notes)[0] != colour(i)))
          throw Error(program.file, fmt::format("\"{}\" has lost its colour", to_string(i)));
      if (blocks.in(i.notes).empty())
        throw Error(program.file, fmt::format("\"{}\" is in no block", to_string(i)));
    }
  }

 private:
  std::uint64_t colour(const isa::Instruction& i) const {
    return static_cast<std::uint64_t>(i.op) % colours_;
  }

  std::uint64_t colours_;
};

const Registration<ICompilerPass, ToyColours, ColourParameters> toy_colours_entry{
    "toy-colours",
    "notes: colours of results, weights of instructions, numbers of blocks",
    {.kinds = {"mark"}, .before = {"toy-scatter"}}};

}  // namespace
}  // namespace heddle::compiler
