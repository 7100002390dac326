// Removes unreachable instructions and instructions whose result is not needed. Memory accesses (except loads
// of parameters), barriers, fences, control flow and .sync operations are always needed. A second step
// removes results that are overwritten before they are read.

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/rewrite.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;

// Largest number of repetitions of the pass. Each repetition removes dead code from one more block of a chain
// of blocks. Kernels need two or three repetitions.
constexpr int kDeadCodeRounds = 32;

bool has_effect(const Instruction& i) {
  if (i.op == Opcode::nop && !i.metadata) return false;
  if (i.metadata || i.modifiers.sync || i.num_dst == 0) return true;
  switch (i.op) {
    case Opcode::ld:
      return i.memory.space != isa::Space::param;
    case Opcode::st:
    case Opcode::tex:
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
    for (int round = 0; round < kDeadCodeRounds; ++round) {
      remove(unit, unneeded(unit.program()));
      if (!remove(unit, overwritten(unit))) return;
    }
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

  // Returns, for each instruction, true if its result is never needed: later instructions overwrite the
  // result before a needed instruction reads it.
  static std::vector<bool> overwritten(CompilationUnit& unit) {
    const LiveSets& live = unit.thread_liveness();
    const ControlFlow& flow = unit.control_flow();
    const isa::Program& program = unit.program();
    const auto words = static_cast<std::uint32_t>(program.registers);
    std::vector<bool> dead(program.code.size());
    std::vector<int> known_in(live.universe(), kNoBlock);
    std::vector<bool> needed(live.universe());
    for (int b = 0; b < flow.size(); ++b) {
      const std::uint32_t end = flow.block(b).end;
      const auto is_needed = [&](std::uint32_t m) {
        if (known_in[m] == b) return static_cast<bool>(needed[m]);
        return m < words ? live.word_after(end - 1, m) : live.predicate_after(end - 1, m - words);
      };
      const auto set = [&](std::uint32_t m, bool to) {
        known_in[m] = b;
        needed[m] = to;
      };
      for (std::uint32_t n = end; n-- > flow.block(b).first;) {
        const Instruction& i = program.code[n];
        bool read = has_effect(i);
        for_each_written_word(i, [&](std::uint32_t w) { read = read || is_needed(w); });
        for_each_written_predicate(i, [&](std::uint32_t p) { read = read || is_needed(words + p); });
        dead[n] = !read;
        if (!read) continue;
        if (writes_all_active_lanes(i)) {
          for_each_written_word(i, [&](std::uint32_t w) { set(w, false); });
          for_each_written_predicate(i, [&](std::uint32_t p) { set(words + p, false); });
        }
        for_each_read_word(i, [&](std::uint32_t w) { set(w, true); });
        for_each_read_predicate(i, [&](std::uint32_t p) { set(words + p, true); });
      }
    }
    return dead;
  }
};

const Registration<ICompilerPass, RemoveDeadCode> remove_dead_code_entry{
    "remove-dead-code",
    "removes unreachable instructions and unused results",
    {.kinds = {"clean-up"}, .before = {"clean-branches", "transformation", "allocation"}}};

}  // namespace
}  // namespace heddle::compiler
