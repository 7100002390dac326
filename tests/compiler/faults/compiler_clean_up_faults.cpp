#include <vector>

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/rewrite.h"
#include "tests/compiler/faults/compiler_faults.h"

namespace heddle::compiler::test::compiler_clean_up_faults {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

bool writes(const Instruction& i, RegId r) {
  bool found = false;
  for_each_written_word(i, [&](std::uint32_t w) { found = found || w == r.value; });
  return found;
}

// Fault: replaces a copy's result by its source although the source has been overwritten.
bool propagate_past_write(CompilationUnit& unit) {
  isa::Program& program = unit.edit();
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const Instruction copy = program.code[n];
    if (copy.op != Opcode::mov || copy.guard.present || !copy.src[0].is_reg() || !copy.dst[0].is_reg())
      continue;
    bool written = false;
    for (std::size_t m = n + 1; m < program.code.size() && !program.code[m].is_branch(); ++m) {
      for (Operand& o : program.code[m].sources()) {
        if (!written || !o.is_reg() || o.reg != copy.dst[0].reg || o.words() != copy.dst[0].words()) continue;
        o.reg = copy.src[0].reg;
        return true;
      }
      if (writes(program.code[m], copy.dst[0].reg)) break;
      written = written || writes(program.code[m], copy.src[0].reg);
    }
  }
  return false;
}

// Fault: propagates a copy beyond the join, although the copy exists on only one of the joined paths.
bool propagate_past_join(CompilationUnit& unit) {
  const ControlFlow flow(unit.program());
  isa::Program& program = unit.edit();
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const Instruction copy = program.code[n];
    if (copy.op != Opcode::mov || !copy.dst[0].is_reg() || copy.src[0].kind != Operand::Kind::immediate)
      continue;
    const int own = flow.block_of(n);
    for (const int s : flow.block(own).successors) {
      if (flow.block(s).predecessors.size() < 2) continue;
      for (std::uint32_t m = flow.block(s).first; m < flow.block(s).end; ++m)
        for (Operand& o : program.code[m].sources())
          if (o.is_reg() && o.reg == copy.dst[0].reg && o.bits == copy.dst[0].bits) {
            o = copy.src[0];
            return true;
          }
    }
  }
  return false;
}

bool remove_live_instruction(CompilationUnit& unit) {
  const LiveSets& live = unit.thread_liveness();
  std::vector<bool> removed(unit.program().code.size(), false);
  for (std::size_t n = removed.size(); n-- > 0;) {
    const Instruction& i = unit.program().code[n];
    if (i.op != Opcode::add || i.num_dst != 1 || i.dst[0].words() != 1) continue;
    if (!live.word_after(n, i.dst[0].reg.value)) continue;
    removed[n] = true;
    remove_instructions(unit.edit(), removed);
    return true;
  }
  return false;
}

// Fault: treats a value as dead because a guarded write follows.
bool kill_by_guarded_write(CompilationUnit& unit) {
  const auto& code = unit.program().code;
  std::vector<bool> removed(code.size(), false);
  for (std::size_t n = 0; n < code.size(); ++n) {
    if (code[n].guard.present || code[n].op != Opcode::mov || !code[n].dst[0].is_reg()) continue;
    for (std::size_t m = n + 1; m < code.size() && !code[m].is_branch(); ++m) {
      if (!writes(code[m], code[n].dst[0].reg)) continue;
      if (!code[m].guard.present) break;
      removed[n] = true;
      remove_instructions(unit.edit(), removed);
      return true;
    }
  }
  return false;
}

const Instruction* guarded_write(const isa::Program& program) {
  for (const Instruction& i : program.code)
    if (i.guard.present && i.num_dst == 1 && i.dst[0].is_reg()) return &i;
  return nullptr;
}

bool invert_guard(CompilationUnit& unit) {
  const Instruction* i = guarded_write(unit.edit());
  if (i) const_cast<Instruction*>(i)->guard.negated = !i->guard.negated;
  return i != nullptr;
}

bool drop_guard(CompilationUnit& unit) {
  const Instruction* i = guarded_write(unit.edit());
  if (i) const_cast<Instruction*>(i)->guard = {};
  return i != nullptr;
}

bool truncate_immediate(CompilationUnit& unit) {
  for (Instruction& i : unit.edit().code)
    for (Operand& o : i.sources()) {
      if (i.is_memory() || o.kind != Operand::Kind::immediate || o.value < 0x10000) continue;
      o.value &= 0xffff;
      return true;
    }
  return false;
}

bool wrong_parameter(CompilationUnit& unit) {
  for (Instruction& i : unit.edit().code)
    for (Operand& o : i.sources()) {
      if (o.kind != Operand::Kind::param || o.bits != 32) continue;
      o.value -= 4;
      return true;
    }
  return false;
}

bool stale_branch_target(CompilationUnit& unit) {
  for (Instruction& i : unit.edit().code) {
    if (!i.is_branch() || i.target == 0) continue;
    ++i.target;
    return true;
  }
  return false;
}

const Registration<ICompilerPass, FaultBefore<propagate_past_write>> r1{"fault-propagate-past-write", "test"};
const Registration<ICompilerPass, FaultBefore<propagate_past_join>> r2{"fault-propagate-past-join", "test"};
const Registration<ICompilerPass, FaultAfter<remove_live_instruction>> r3{"fault-remove-live-instruction",
                                                                          "test"};
const Registration<ICompilerPass, FaultBefore<kill_by_guarded_write>> r4{"fault-kill-by-guarded-write",
                                                                         "test"};
const Registration<ICompilerPass, FaultAfter<invert_guard>> r5{"fault-invert-guard", "test"};
const Registration<ICompilerPass, FaultAfter<drop_guard>> r6{"fault-drop-guard", "test"};
const Registration<ICompilerPass, FaultAfter<truncate_immediate>> r7{"fault-truncate-immediate", "test"};
const Registration<ICompilerPass, FaultAfter<wrong_parameter>> r8{"fault-wrong-parameter", "test"};
const Registration<ICompilerPass, FaultAfter<stale_branch_target>> r9{"fault-stale-branch-target", "test"};

}  // namespace
}  // namespace heddle::compiler::test::compiler_clean_up_faults
