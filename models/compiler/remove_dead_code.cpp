// Instructions that cannot be reached, and instructions whose results nothing needs. Memory accesses (but
// loads of parameters), barriers, fences, control flow and .sync operations are needed; so is what writes a
// register that a needed instruction reads. A second look, by liveness, finds results that are overwritten
// before they are read.

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/rewrite.h"
#include "models/compiler/use_def.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;

bool has_effect(const Instruction& i) {
  if (i.op == Opcode::nop && !i.metadata) return false;
  if (i.metadata || i.modifiers.sync || i.num_dst == 0) return true;
  switch (i.op) {
    case Opcode::ld:
      return i.memory.space != isa::Space::param;
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::bar:
    case Opcode::bar_warp:
      return true;
    default:
      return i.unit == isa::UnitClass::control;
  }
}

class RemoveDeadCode : public ICompilerPass {
 public:
  RemoveDeadCode(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::before_allocation; }

  void run(CompilationUnit& unit) override {
    remove(unit, unreachable(unit));
    do {
      remove(unit, unneeded(unit.program()));
    } while (remove(unit, overwritten(unit)));
  }

 private:
  static bool remove(CompilationUnit& unit, const std::vector<bool>& dead) {
    for (const bool d : dead) {
      if (!d) continue;
      remove_instructions(unit.edit(), dead);
      return true;
    }
    return false;
  }

  static std::vector<bool> unreachable(CompilationUnit& unit) {
    const ControlFlow& flow = unit.control_flow();
    std::vector<bool> dead(unit.program().code.size());
    for (std::size_t n = 0; n < dead.size(); ++n) dead[n] = !flow.block(flow.block_of(n)).reachable;
    return dead;
  }

  static std::vector<bool> unneeded(const isa::Program& program) {
    const std::size_t words = program.registers;
    std::vector<std::vector<std::size_t>> writers(words + program.predicates);
    std::vector<bool> wanted(writers.size(), false);
    std::vector<bool> dead(program.code.size(), true);
    std::vector<std::size_t> work;
    for (std::size_t n = 0; n < program.code.size(); ++n) {
      for_each_written_word(program.code[n], [&](std::uint32_t w) { writers[w].push_back(n); });
      for_each_written_predicate(program.code[n], [&](std::uint32_t p) { writers[words + p].push_back(n); });
      if (has_effect(program.code[n])) work.push_back(n);
    }
    while (!work.empty()) {
      const std::size_t n = work.back();
      work.pop_back();
      if (!dead[n]) continue;
      dead[n] = false;
      const auto want = [&](std::size_t member) {
        if (wanted[member]) return;
        wanted[member] = true;
        work.insert(work.end(), writers[member].begin(), writers[member].end());
      };
      for_each_read_word(program.code[n], [&](std::uint32_t w) { want(w); });
      for_each_read_predicate(program.code[n], [&](std::uint32_t p) { want(words + p); });
    }
    return dead;
  }

  static std::vector<bool> overwritten(CompilationUnit& unit) {
    const LiveSets& live = unit.thread_liveness();
    std::vector<bool> dead(unit.program().code.size());
    for (std::size_t n = 0; n < dead.size(); ++n) {
      const Instruction& i = unit.program().code[n];
      bool read = has_effect(i);
      for_each_written_word(i, [&](std::uint32_t w) { read = read || live.word_after(n, w); });
      for_each_written_predicate(i, [&](std::uint32_t p) { read = read || live.predicate_after(n, p); });
      dead[n] = !read;
    }
    return dead;
  }
};

const Registration<ICompilerPass, RemoveDeadCode> registered{
    "remove-dead-code", "removes unreachable instructions and results that nothing needs"};

}  // namespace
}  // namespace heddle::compiler
