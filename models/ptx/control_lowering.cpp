// Instructions with operands of their own kind: branches and returns.

#include "models/core/error.h"
#include "models/ptx/lowering.h"

namespace heddle::ptx {

using namespace isa;

void FunctionLowering::custom(const Statement& s, Item item) {
  if (s.name == "mov") return moves_.move(s, item);
  if (s.name == "cvta") return moves_.convert_address(s, item);
  if (s.name == "createpolicy") return moves_.create_policy(s, item);
  if (s.name == "tex" || s.name == "tld4") return textures_.look_up(s, item);
  if (s.name == "txq" || s.name == "suq") return textures_.query(s, item);
  if (s.name == "istypep") return textures_.test_opaque_type(s, item);
  if (s.name == "suld" || s.name == "sust" || s.name == "sured") return textures_.access_surface(s, item);
  if (s.name == "vabsdiff2") return expansions_.add_half_distances(s, item);
  if (s.name == "vadd" || s.name == "vsub") return expansions_.add_words(s, item);
  if (s.name == "cvt") return expansions_.pack_clamped(s, item);
  if (s.name == "brx") return indexed_branch(s, item.instruction);
  branch(s, item.instruction);
}

LabelId FunctionLowering::label(const OperandSyntax& o, int block) const {
  if (o.kind != OperandSyntax::Kind::name) scope_.fail(o.position, "a label is needed here");
  const LabelId id = scope_.frame.find_label(o.name, block);
  if (id == kNone) scope_.fail(o.position, "undefined label \"" + std::string(o.name) + "\"");
  return id;
}

void FunctionLowering::branch(const Statement& s, const Instruction& i) {
  if (s.operands.size() != 1)
    scope_.fail(s.position, "bra needs 1 operand, has " + std::to_string(s.operands.size()));
  Item item;
  item.instruction = i;
  item.target = label(s.operands[0], s.block);
  scope_.emit(s, item);
}

/// brx.idx becomes a chain of compares; an index past the list, undefined in PTX, takes the last target.
void FunctionLowering::indexed_branch(const Statement& s, const Instruction& i) {
  if (s.operands.size() != 2)
    scope_.fail(s.position, "brx.idx needs 2 operands, has " + std::to_string(s.operands.size()));
  const Operand index = operands_.source(s, s.operands[0], {DataType::u32, false});
  const Statement* targets = scope_.frame.find_targets(s.operands[1].name, s.block);
  if (!targets)
    scope_.fail(s.operands[1].position,
                "undefined .branchtargets list \"" + std::string(s.operands[1].name) + "\"");
  const LabelId behind = scope_.context.builder.new_label({});
  if (i.guard.present) {
    Item skip;
    skip.instruction = i;
    skip.instruction.guard.negated = !i.guard.negated;
    skip.target = behind;
    scope_.emit(s, skip);
  }
  const Operand equal = scope_.context.builder.new_predicate(scope_.frame.prefix() + "brx");
  for (std::size_t t = 0; t + 1 < targets->operands.size(); ++t) {
    Item compare;
    compare.instruction.op = Opcode::setp;
    compare.instruction.type = compare.instruction.source_type = DataType::u32;
    compare.instruction.modifiers.compare = Compare::eq;
    compare.instruction.add_dst(equal);
    compare.instruction.add_src(index);
    compare.instruction.add_src(Operand::make_immediate(t, 32));
    scope_.emit(s, compare);
    Item jump;
    jump.instruction.op = Opcode::bra;
    jump.instruction.uniform = i.uniform;
    jump.instruction.guard.present = true;
    jump.instruction.guard.pred = equal.pred;
    jump.target = label(targets->operands[t], targets->block);
    scope_.emit(s, jump);
  }
  Item last;
  last.instruction.op = Opcode::bra;
  last.instruction.uniform = i.uniform;
  last.target = label(targets->operands.back(), targets->block);
  scope_.emit(s, last);
  scope_.context.builder.bind(behind);
}

/// ret of a kernel ends the thread; of an inlined function it goes on after the call, where the function's
/// last statement falls anyway.
void FunctionLowering::leave(const Statement& s, Item item) {
  if (s.name == "ret" && !scope_.is_kernel()) {
    if (&s == &scope_.body.statements.back()) return;
    item.instruction.op = Opcode::bra;
    item.target = end_;
  }
  scope_.emit(s, item);
}

}  // namespace heddle::ptx
