#include "models/ptx/branch_lowering.h"

#include "models/core/error.h"

namespace heddle::ptx {

using namespace isa;

LabelId BranchLowering::label(const OperandSyntax& o, int block) const {
  if (o.kind != OperandSyntax::Kind::name) scope_.fail(o.position, "a label is needed here");
  const LabelId id = scope_.frame.find_label(o.name, block);
  if (id == kNone) scope_.fail(o.position, "undefined label \"" + std::string(o.name) + "\"");
  return id;
}

void BranchLowering::branch(const Statement& s, const Instruction& i) {
  scope_.require_operands(s, 1);
  Item item;
  item.instruction = i;
  item.target = label(s.operands[0], s.block);
  scope_.emit(s, item);
}

/// Translates brx.idx to a chain of compares and branches. In PTX, the effect of an index outside the list of
/// targets is undefined. Here such an index branches to the last target.
void BranchLowering::indexed_branch(const Statement& s, const Instruction& i) {
  scope_.require_operands(s, "brx.idx", 2, 2);
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
  if (scope_.context.notes) {
    Item note = make_item(
        Opcode::nop, DataType::none,
        {index, Operand::make_immediate(targets->operands.size(), 32), Operand::make_immediate(0, 32)});
    note.instruction.metadata = true;
    scope_.emit(s, note);
  }
  Item last;
  last.instruction.op = Opcode::bra;
  last.instruction.uniform = i.uniform;
  last.target = label(targets->operands.back(), targets->block);
  scope_.emit(s, last);
  scope_.context.builder.bind(behind);
}

}  // namespace heddle::ptx
