// Swaps the operands of commutative instructions so that, if possible, all reads of a value use the same
// operand slot (a, b or c). A split last-result level has one entry per slot, and can hold a value only if
// all its reads use one slot (Gebhart 2012, 4.4).
//
// Works block by block. Each read in a non-commutative instruction is a vote for the slot of the value that
// it reads. After that, each commutative instruction, in program order, takes the operand order that has more
// votes for its two values. The reads of this instruction then count as votes too.

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;

constexpr std::size_t kSlots = 3;

bool commutes(const Instruction& i) {
  if (i.num_src < 2 || !i.src[0].is_reg() || !i.src[1].is_reg() || i.src[0].words() != i.src[1].words())
    return false;
  switch (i.op) {
    case Opcode::add:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::fma:
    case Opcode::mul24:
    case Opcode::mad24:
    case Opcode::min:
    case Opcode::max:
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
      return true;
    default:
      return false;
  }
}

class Block {
 public:
  explicit Block(std::span<Instruction> code) : code_(code), read_(code.size()) {
    for (std::size_t n = 0; n < code_.size(); ++n) name_values(n);
  }

  void swap() {
    for (std::size_t n = 0; n < code_.size(); ++n)
      if (!commutes(code_[n])) vote(n);
    for (std::size_t n = 0; n < code_.size(); ++n) {
      if (!commutes(code_[n])) continue;
      const std::array<int, kSlots>&a = votes_[read_[n][0]], &b = votes_[read_[n][1]];
      if (a[1] + b[0] > a[0] + b[1]) {
        std::swap(code_[n].src[0], code_[n].src[1]);
        std::swap(read_[n][0], read_[n][1]);
      }
      vote(n);
    }
  }

 private:
  void name_values(std::size_t n) {
    const auto fresh = [this](std::uint32_t reg) {
      value_of_[reg] = votes_.size();
      votes_.emplace_back();
    };
    const Instruction& i = code_[n];
    for (std::size_t s = 0; s < i.num_src; ++s) {
      if (!i.src[s].is_reg()) continue;
      if (!value_of_.contains(i.src[s].reg.value)) fresh(i.src[s].reg.value);
      read_[n][s] = value_of_[i.src[s].reg.value];
    }
    for (const isa::Operand& o : i.destinations())
      for (int word = 0; o.is_reg() && word < o.words(); ++word)
        fresh(o.reg.value + static_cast<std::uint32_t>(word));
  }
  void vote(std::size_t n) {
    for (std::size_t s = 0; s < std::min<std::size_t>(code_[n].num_src, kSlots); ++s)
      if (code_[n].src[s].is_reg()) ++votes_[read_[n][s]][s];
  }

  std::span<Instruction> code_;
  std::vector<std::array<std::size_t, isa::kMaxSources>> read_;
  std::map<std::uint32_t, std::size_t> value_of_;
  std::vector<std::array<int, kSlots>> votes_;
};

class SwapOperands : public ICompilerPass {
 public:
  SwapOperands(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    std::vector<std::pair<std::size_t, std::size_t>> blocks;
    const ControlFlow& flow = unit.control_flow();
    for (int b = 0; b < flow.size(); ++b) blocks.emplace_back(flow.block(b).first, flow.block(b).end);
    std::vector<Instruction>& code = unit.edit().code;
    for (const auto& [first, end] : blocks) Block(std::span(code).subspan(first, end - first)).swap();
  }
};

const Registration<ICompilerPass, SwapOperands> swap_operands_entry{
    "swap-operands",
    "moves operands of commutative instructions to the slots in which other instructions read their values",
    {.before = {"strands", "value-levels", "mark", "numbering"}}};

}  // namespace
}  // namespace heddle::compiler
