// Translates PTX instructions to machine instructions. The row of the instruction table (Form) describes the
// operands of an instruction.

#include <algorithm>

#include "models/core/error.h"
#include "models/ptx/lowering.h"

namespace heddle::ptx {

using namespace isa;

namespace {

void check_barrier(const Source& source, const Statement& s, const Instruction& i) {
  if (i.src[0].kind == Operand::Kind::immediate && i.src[0].value > 15)
    source.fail(s.position, "barrier number " + std::to_string(i.src[0].value) + " does not exist", "0..15");
  if (i.num_src > 1 && i.src[1].kind == Operand::Kind::immediate && i.src[1].value % 32 != 0)
    source.fail(s.position, "the thread count of a barrier must be a multiple of 32");
}

}  // namespace

void FunctionLowering::instruction(const Statement& s) {
  Item item;
  Instruction& i = item.instruction;
  apply_suffixes(s.match, i);
  i.guard = operands_.guard(s.guard);
  const CompiledForm& form = *s.match.form;
  if (!form.slots.empty() && form.slots.front().kind == 'C') return custom(s, item);
  if (i.op == Opcode::exit) {
    if (!s.operands.empty()) scope_.fail(s.position, std::string(s.name) + " takes no operands");
    return leave(s, item);
  }
  if (i.type != DataType::none) i.memory.element_bytes = static_cast<std::uint8_t>(bits_of(i.type) / 8);
  bool has_hint = false;
  for (std::size_t g = 0; g < form.groups.size(); ++g)
    has_hint |= form.groups[g].effect == Effect::hint && !s.match.words[g].empty();
  operands_.operands(s, form, has_hint, item);
  if (i.modifiers.carry_in) i.add_src(scope_.context.builder.carry());
  if (i.modifiers.carry_out) i.add_dst(scope_.context.builder.carry());
  if (i.op == Opcode::bar) check_barrier(scope_.context.module.source, s, i);
  if (i.op == Opcode::nop) {
    i.num_src = 0;
    i.num_dst = 0;
    item.storage = kNone;
  }
  scope_.emit(s, item);
}

void FunctionLowering::custom(const Statement& s, Item item) {
  if (s.name == "mov") return moves_.move(s, item);
  if (s.name == "cvta") return moves_.convert_address(s, item);
  if (s.name == "createpolicy") return moves_.create_policy(s, item);
  if (s.name == "tex" || s.name == "tld4") return textures_.look_up(s, item);
  if (s.name == "txq" || s.name == "suq") return textures_.query(s, item);
  if (s.name == "istypep") return textures_.test_opaque_type(s, item);
  if (s.name == "suld" || s.name == "sust" || s.name == "sured") return textures_.access_surface(s, item);
  if (ExpansionLowering::expands(s)) return expansions_.lower(s, item);
  if (s.name == "mma") return matrices_.multiply(s, item);
  if (s.name == "ldmatrix" || s.name == "stmatrix") return matrices_.access(s, item);
  if (s.name == "cp" || s.name == "mbarrier") return copies_.lower(s, item);
  if (s.name == "wmma") return fragments_.lower(s, item);
  if (s.name == "brx") return branches_.indexed_branch(s, item.instruction);
  branches_.branch(s, item.instruction);
}

/// Translates ret and exit. ret of a kernel ends the thread. ret of an inlined function branches to the end
/// of the function's body, unless the ret is the last statement of the body.
void FunctionLowering::leave(const Statement& s, Item item) {
  if (s.name == "ret" && !scope_.is_kernel()) {
    if (&s == &scope_.body.statements.back()) return;
    item.instruction.op = Opcode::bra;
    item.target = end_;
  }
  scope_.emit(s, item);
}

}  // namespace heddle::ptx
