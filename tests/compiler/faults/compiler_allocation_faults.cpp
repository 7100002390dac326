#include <algorithm>
#include <vector>

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/rewrite.h"
#include "tests/compiler/faults/compiler_faults.h"

namespace heddle::compiler::test {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

bool is_spill(const Instruction& i, Opcode op) {
  return i.overhead && i.op == op && i.memory.space == isa::Space::local;
}

// Fault: overwrites a register across an instruction where it is live, as if a live range were too short.
bool cut_live_range(CompilationUnit& unit) {
  const LiveSets& live = unit.thread_liveness();
  std::size_t at = 0;
  for (std::size_t n = 0; n < unit.program().code.size(); ++n)
    if (live.words_live_before(n) > live.words_live_before(at)) at = n;
  if (live.words_live_before(at) == 0) return false;
  std::uint32_t word = 0;
  while (!live.word_before(at, word)) ++word;
  rewrite(unit.edit(), [&](std::size_t n, const Instruction& i, Replacement& out) {
    if (n == at) {
      Instruction clobber = make_overhead(i, Opcode::mov, isa::DataType::b32);
      clobber.add_dst(Operand::make_reg(RegId(word), 32));
      clobber.add_src(Operand::make_immediate(0x5a5a, 32));
      out.emit(clobber);
    }
    out.emit(i);
  });
  return true;
}

bool share_spill_slots(CompilationUnit& unit) {
  std::vector<std::uint64_t> slots;
  for (const Instruction& i : unit.program().code)
    if (is_spill(i, Opcode::st) && i.type == isa::DataType::b32) slots.push_back(i.src[0].value);
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  if (slots.size() < 2) return false;
  for (Instruction& i : unit.edit().code)
    if ((is_spill(i, Opcode::st) || is_spill(i, Opcode::ld)) && i.src[0].value == slots[1])
      i.src[0].value = slots[0];
  return true;
}

template <Opcode Which>
bool drop_spill(CompilationUnit& unit) {
  std::vector<bool> removed(unit.program().code.size(), false);
  for (std::size_t n = 0; n < removed.size(); ++n) {
    if (!is_spill(unit.program().code[n], Which)) continue;
    removed[n] = true;
    remove_instructions(unit.edit(), removed);
    return true;
  }
  return false;
}

// Fault: stores a guarded result to its spill slot in all lanes.
bool unguard_spill_store(CompilationUnit& unit) {
  for (Instruction& i : unit.edit().code) {
    if (!is_spill(i, Opcode::st) || !i.guard.present) continue;
    i.guard = {};
    return true;
  }
  return false;
}

// Returns the instruction in block b after which the value that instruction n writes to `word` is no longer
// needed. Returns 0 if the value is needed after the block.
std::uint32_t last_of_value(CompilationUnit& unit, int b, std::uint32_t n, std::uint32_t word) {
  for (std::uint32_t m = n + 1; m < unit.control_flow().block(b).end; ++m) {
    bool written = false;
    for_each_written_word(unit.program().code[m], [&](std::uint32_t w) { written = written || w == word; });
    if (written && unit.program().code[m].guard.present) return 0;
    if (written || !unit.thread_liveness().word_after(m, word)) return m;
  }
  return 0;
}

// Fault: a value that only one side of a branch uses shares the register of a value that is live across the
// branch.
bool reuse_register_of_a_path(CompilationUnit& unit) {
  const LiveSets& live = unit.thread_liveness();
  const ControlFlow& flow = unit.control_flow();
  for (int b = 0; b < flow.size(); ++b) {
    if (!unit.divergence().partial(b) || flow.block(b).loop_depth != 0) continue;
    for (std::uint32_t n = flow.block(b).first; n + 1 < flow.block(b).end; ++n) {
      const Instruction& i = unit.program().code[n];
      if (i.num_dst != 1 || i.dst[0].words() != 1 || !writes_all_active_lanes(i)) continue;
      const std::uint32_t own = i.dst[0].reg.value;
      const std::uint32_t end = last_of_value(unit, b, n, own);
      for (std::uint32_t other = 0; end != 0 && other < unit.program().registers; ++other) {
        if (other == own || !live.word_before(n, other) || !live.word_after(flow.block(b).end - 1, other))
          continue;
        isa::Program& program = unit.edit();
        program.code[n].dst[0].reg = RegId(other);
        for (std::uint32_t m = n + 1; m <= end; ++m)
          for (Operand& o : program.code[m].sources())
            if (o.words() == 1 && o.reg.value == own) o.reg = RegId(other);
        return true;
      }
    }
  }
  return false;
}

bool swap_pair_halves(CompilationUnit& unit) {
  for (Instruction& i : unit.edit().code) {
    if (i.op != Opcode::unpack || i.num_dst != 2) continue;
    std::swap(i.dst[0], i.dst[1]);
    return true;
  }
  return false;
}

// Fault: gives two variables that are live at the same time the same register, as if the copy between them
// had been coalesced.
bool join_interfering_variables(CompilationUnit& unit) {
  const LiveSets& live = unit.thread_liveness();
  for (std::size_t n = 0; n < unit.program().code.size(); ++n) {
    const Instruction& i = unit.program().code[n];
    if (i.op != Opcode::mov || i.num_dst != 1 || i.dst[0].words() != 1 || !i.src[0].is_reg()) continue;
    if (!live.word_after(n, i.src[0].reg.value)) continue;
    const RegId joined = i.src[0].reg, old = i.dst[0].reg;
    for (Instruction& other : unit.edit().code) {
      for (Operand& o : other.sources())
        if (o.is_reg() && o.reg == old) o.reg = joined;
      for (Operand& o : other.destinations())
        if (o.is_reg() && o.reg == old) o.reg = joined;
    }
    return true;
  }
  return false;
}

// Fault: when a spilled predicate changes, the register that holds its value is not updated.
bool drop_predicate_store(CompilationUnit& unit) {
  std::vector<bool> removed(unit.program().code.size(), false);
  for (std::size_t n = 0; n < removed.size(); ++n) {
    if (!unit.program().code[n].overhead || unit.program().code[n].op != Opcode::selp) continue;
    removed[n] = true;
    remove_instructions(unit.edit(), removed);
    return true;
  }
  return false;
}

const Registration<ICompilerPass, FaultAfter<cut_live_range>> r1{"fault-cut-live-range", "test"};
const Registration<ICompilerPass, FaultAfter<share_spill_slots>> r2{"fault-share-spill-slots", "test"};
const Registration<ICompilerPass, FaultAfter<drop_spill<Opcode::st>>> r3{"fault-drop-spill-store", "test"};
const Registration<ICompilerPass, FaultAfter<drop_spill<Opcode::ld>>> r4{"fault-drop-spill-load", "test"};
const Registration<ICompilerPass, FaultAfter<unguard_spill_store>> r5{"fault-unguard-spill-store", "test"};
const Registration<ICompilerPass, FaultAfter<reuse_register_of_a_path>> r6{"fault-reuse-register-of-a-path",
                                                                           "test"};
const Registration<ICompilerPass, FaultAfter<swap_pair_halves>> r7{"fault-swap-pair-halves", "test"};
const Registration<ICompilerPass, FaultBefore<join_interfering_variables>> r8{
    "fault-join-interfering-variables", "test"};
const Registration<ICompilerPass, FaultAfter<drop_predicate_store>> r9{"fault-drop-predicate-store", "test"};

}  // namespace
}  // namespace heddle::compiler::test
