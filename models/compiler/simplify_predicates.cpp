// Simplifies selections (selp) by a constant predicate, and predicate logic with a constant operand. clang
// often generates code such as xor.pred p, q, false.

#include <optional>

#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;

std::optional<bool> constant_of(const Operand& o) {
  if (o.kind != Operand::Kind::immediate || o.bits != 1) return std::nullopt;
  return ((o.value & 1u) != 0) != o.negated;
}

void make_move(Instruction& i, const Operand& source, DataType type) {
  i.op = Opcode::mov;
  i.type = i.source_type = type;
  i.modifiers = {};
  i.src[0] = source;
  i.num_src = 1;
  if (const auto c = constant_of(i.src[0])) i.src[0] = Operand::make_immediate(*c ? 1 : 0, 1);
  if (type == DataType::pred && i.src[0].negated && i.src[0].is_pred()) {
    i.op = Opcode::not_;
    i.src[0].negated = false;
  }
  i.lane_function = nullptr;
  classify(i);
}

Operand inverted(Operand o) {
  o.negated = !o.negated;
  return o;
}

// Returns an operand that has the same value as operation `op` on predicate x and constant c; nothing if
// there is no such operand.
std::optional<Operand> combine(Opcode op, const Operand& x, bool c) {
  switch (op) {
    case Opcode::and_:
      return c ? x : Operand::make_immediate(0, 1);
    case Opcode::or_:
      return c ? Operand::make_immediate(1, 1) : x;
    case Opcode::xor_:
      return c ? inverted(x) : x;
    default:
      return std::nullopt;
  }
}

void simplify(Instruction& i) {
  if (i.op == Opcode::selp && i.num_src == 3) {
    if (const auto c = constant_of(i.src[2])) make_move(i, i.src[*c ? 0 : 1], i.type);
    return;
  }
  if (i.type != DataType::pred || i.num_dst != 1) return;
  if (i.op == Opcode::not_) {
    if (const auto c = constant_of(i.src[0]))
      make_move(i, Operand::make_immediate(*c ? 0 : 1, 1), DataType::pred);
    return;
  }
  if (i.num_src != 2) return;
  for (int s = 0; s < 2; ++s) {
    const auto c = constant_of(i.src[static_cast<std::size_t>(s)]);
    if (!c) continue;
    if (const auto result = combine(i.op, i.src[static_cast<std::size_t>(1 - s)], *c))
      make_move(i, *result, DataType::pred);
    return;
  }
}

class SimplifyPredicates : public ICompilerPass {
 public:
  SimplifyPredicates(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::before_allocation; }
  void run(CompilationUnit& unit) override {
    for (Instruction& i : unit.edit().code) simplify(i);
  }
};

const Registration<ICompilerPass, SimplifyPredicates> simplify_predicates_entry{
    "simplify-predicates",
    "predicate logic with a constant operand becomes a move",
    {.kinds = {"clean-up"}, .before = {"remove-dead-code", "transformation", "allocation"}}};

}  // namespace
}  // namespace heddle::compiler
