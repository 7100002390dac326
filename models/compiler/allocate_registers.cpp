// Register allocation: replaces the unlimited virtual registers and predicates of PTX by architected ones.
// Steps 1 and 3 are repeated until all variables have a register. After kRounds rounds, one round spills all
// variables, which ends the repetition.
// 1. Colours the interference graph of the predicates. A predicate without a colour is kept in a general
//    register.
// 2. Merges the registers of matrix operands into groups (merge_groups.h).
// 3. Colours the interference graph of the general registers. Values of several words get groups that begin
//    at a multiple of their size. A variable without a colour is spilled to local memory, or recomputed if it
//    is a constant.
// 4. Writes the register numbers into the operands and removes moves from a register to itself.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/compiler/analyses/interference.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/graph_coloring.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/merge_groups.h"
#include "models/compiler/register_pressure.h"
#include "models/compiler/rewrite.h"
#include "models/compiler/spill.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Operand;

constexpr int kRounds = 24;

int held(std::span<const Operand> operands, RegisterClass cls) {
  int count = 0;
  for (const Operand& o : operands) count += cls == RegisterClass::general ? o.words() : o.is_pred();
  return count;
}

// Returns the error for a program that does not fit in the registers even after spilling. The error names the
// instruction with the largest number of register operands.
Error shortage(const isa::Program& program, RegisterClass cls, int registers) {
  const Instruction* worst = &program.code.front();
  int most = 0;
  for (const Instruction& i : program.code) {
    const int guard = cls == RegisterClass::predicate && i.guard.present;
    const int count = guard + std::max(held(i.sources(), cls), held(i.destinations(), cls));
    if (count > most) {
      most = count;
      worst = &i;
    }
  }
  const char* what = cls == RegisterClass::general ? "registers" : "predicates";
  return Error(fmt::format("{}:{}", program.file, worst->location.ptx_line),
               fmt::format("kernel {}: {} {} are too few: \"{}\" holds {} at once", program.kernel, registers,
                           what, to_string(*worst), most),
               cls == RegisterClass::general ? "a larger max_registers" : "a larger \"predicates\"");
}

struct AllocationParameters {
  int file_percent = 100;
  void fields(FieldVisitor& v) {
    v.field("file_percent", file_percent, {1, 100},
            "size of the register file in percent of a full-size file: each thread gets as many registers as "
            "keep the same number of warps resident as in the full-size file, or the fewest possible (Jeon "
            "2015, 9.2: half)");
  }
};

class AllocateRegisters : public ICompilerPass {
 public:
  AllocateRegisters(const AllocationParameters& parameters, Context& context)
      : registers_(context.max_registers),
        predicates_(context.predicates),
        file_percent_(parameters.file_percent),
        resident_warps_(context.resident_warps) {}

  PassStage stage() const override { return PassStage::allocation; }

  void run(CompilationUnit& unit) override {
    isa::Program& program = unit.edit();
    program.predicates = allocate(program, RegisterClass::predicate, predicates_);
    merge_groups(program);
    const isa::Program before = program;
    program.registers = allocate(program, RegisterClass::general, registers_);
    if (file_percent_ < 100) {
      for (int registers = registers_for_the_same_warps(program); registers < registers_; ++registers) {
        isa::Program smaller = before;
        try {
          smaller.registers = allocate(smaller, RegisterClass::general, registers);
        } catch (const Error&) {
          continue;
        }
        program = std::move(smaller);
        break;
      }
    }
    remove_self_moves(program);
    program.local_bytes = (program.local_bytes + 3) / 4 * 4;
    program.register_names.clear();
    program.predicate_names.clear();
    program.architected = true;
  }

 private:
  // Returns the register limit of a thread. First takes `file_percent_` percent of the program's registers. The
  // result is rounded down, because rounding up could reduce the number of resident warps. Then raises this
  // limit as long as an SM still holds the same number of warps.
  int registers_for_the_same_warps(const isa::Program& program) const {
    if (!resident_warps_)
      throw Error("compiler.passes", "\"allocate-registers\" has to know how many warps an SM holds",
                  "a run on a GPU, or file_percent 100");
    isa::Program asked = program;
    asked.registers = std::max(1u, program.registers * static_cast<std::uint32_t>(file_percent_) / 100);
    const int warps = resident_warps_(asked);
    while (asked.registers < program.registers) {
      ++asked.registers;
      if (resident_warps_(asked) == warps) continue;
      --asked.registers;
      break;
    }
    return std::max(2, static_cast<int>(asked.registers));
  }

  static void spill(isa::Program& program, RegisterClass cls, const Variables& variables,
                    const InterferenceGraph* graph, const std::vector<int>& spilled,
                    Temporaries& temporaries) {
    if (cls == RegisterClass::general) {
      spill_general(program, variables, graph, spilled, temporaries);
    } else {
      spill_predicates(program, variables, spilled, temporaries);
    }
  }

  // Assigns at most `colors` registers to the variables of one register class, spilling where necessary.
  // Returns the number of registers used.
  std::uint32_t allocate(isa::Program& program, RegisterClass cls, int colors) const {
    Temporaries temporaries;
    bool everything_spilled = false;
    for (int round = 0;; ++round) {
      const ControlFlow flow(program);
      temporaries.resize(cls == RegisterClass::general ? program.registers : program.predicates);
      const Variables variables = find_variables(program, cls);
      std::vector<bool> pinned(variables.size.size());
      for (std::size_t v = 0; v < pinned.size(); ++v) pinned[v] = temporaries.temporary[variables.first[v]];
      if (const std::vector<int> first = relieve_pressure(program, flow, variables, cls, temporaries, colors);
          !first.empty()) {
        spill(program, cls, variables, nullptr, first, temporaries);
        continue;
      }
      const InterferenceGraph graph = build_interference(program, flow, variables, cls, temporaries.fresh);
      Coloring coloring = color_graph(variables, graph, colors, pinned);
      if (coloring.spilled.empty() && !coloring.stuck) return rename(program, cls, variables, coloring.color);
      if (everything_spilled) throw shortage(program, cls, colors);
      if (coloring.spilled.empty() || round == kRounds) {
        everything_spilled = true;
        coloring.spilled.clear();
        for (int v = 0; v < variables.count(); ++v)
          if (!pinned[static_cast<std::size_t>(v)]) coloring.spilled.push_back(v);
      }
      spill(program, cls, variables, &graph, coloring.spilled, temporaries);
    }
  }

  static std::uint32_t rename(isa::Program& program, RegisterClass cls, const Variables& variables,
                              const std::vector<int>& color) {
    std::uint32_t used = 0;
    const auto map = [&](std::uint32_t& number, int words) {
      const int v = variables.of[number];
      number = static_cast<std::uint32_t>(color[static_cast<std::size_t>(v)]) + variables.offset[number];
      used = std::max(used, number + static_cast<std::uint32_t>(words));
    };
    const auto map_operand = [&](Operand& o) {
      if (cls == RegisterClass::general && o.is_reg()) map(o.reg.value, o.words());
      if (cls == RegisterClass::predicate && o.is_pred()) map(o.pred.value, 1);
    };
    for (Instruction& i : program.code) {
      for (Operand& o : i.sources()) map_operand(o);
      for (Operand& o : i.destinations()) map_operand(o);
      if (cls == RegisterClass::predicate && i.guard.present) map(i.guard.pred.value, 1);
    }
    return used;
  }

  static void remove_self_moves(isa::Program& program) {
    std::vector<bool> removed(program.code.size(), false);
    for (std::size_t n = 0; n < removed.size(); ++n) {
      const Instruction& i = program.code[n];
      if (i.op != isa::Opcode::mov || i.num_dst != 1 || i.num_src != 1) continue;
      const Operand &d = i.dst[0], &s = i.src[0];
      removed[n] = (d.is_reg() && s.is_reg() && d.reg == s.reg && d.bits == s.bits) ||
                   (d.is_pred() && s.is_pred() && d.pred == s.pred && !s.negated);
    }
    remove_instructions(program, removed);
  }

  int registers_;
  int predicates_;
  int file_percent_;
  std::function<int(const isa::Program&)> resident_warps_;
};

const Registration<ICompilerPass, AllocateRegisters, AllocationParameters> allocate_registers_entry{
    "allocate-registers",
    "maps virtual registers to architected ones and spills to local memory if there are too few",
    {.kinds = {"allocation"}, .before = {"reconvergence"}}};

}  // namespace
}  // namespace heddle::compiler
