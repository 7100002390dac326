// Translates the operands of an instruction as its row of the instruction table (Form::operands) describes
// them.

#include "models/core/error.h"
#include "models/ptx/operand_lowering.h"

namespace heddle::ptx {

using namespace isa;

namespace {

DataType twice_as_wide(DataType t) {
  switch (t) {
    case DataType::u16:
      return DataType::u32;
    case DataType::s16:
      return DataType::s32;
    case DataType::u32:
      return DataType::u64;
    case DataType::s32:
      return DataType::s64;
    default:
      return t;
  }
}

bool is_required(const Slot& slot, const Instruction& i, bool has_hint) {
  if (slot.kind == 'b') return i.modifiers.bool_op != BoolOp::none;
  if (slot.kind == 'H') return has_hint;
  return !slot.optional;
}
bool is_absent(const Slot& slot, const Instruction& i, bool has_hint) {
  return (slot.kind == 'b' || slot.kind == 'H') && !is_required(slot, i, has_hint);
}

}  // namespace

OperandLowering::SlotType OperandLowering::slot_type(const Slot& slot, const Instruction& i) const {
  switch (slot.kind) {
    case 'S':
      return {i.source_type, slot.wider};
    case 'W':
      return {twice_as_wide(i.type), slot.wider};
    case '4':
      return {DataType::u32, slot.wider};
    case '8':
      return {scope_.context.module.syntax.address_bits == 32 ? DataType::u32 : DataType::u64, slot.wider};
    case 'p':
    case 'b':
      return {DataType::pred, false};
    default:
      return {i.type, slot.wider};
  }
}

void OperandLowering::slot(const Statement& s, const Slot& slot, const OperandSyntax& o, Item& item) {
  Instruction& i = item.instruction;
  if (!o.second.empty() && !slot.second_predicate)
    scope_.fail(o.position, std::string(s.name) + " has one destination here, not two");
  if (o.kind == OperandSyntax::Kind::address && slot.kind != 'A')
    scope_.fail(o.position, std::string(s.name) + " takes no address here");
  switch (slot.kind) {
    case 'A':
      return address_operand(s, o, item);
    case 'V':
      return vector_operands(s, o, slot.destination, item);
    case 'L':
      if (o.kind != OperandSyntax::Kind::constant || o.constant.bits > 255)
        scope_.fail(o.position, "the look-up table of " + std::string(s.name) + " must be a constant",
                    "0..255");
      i.modifiers.lut = static_cast<std::uint8_t>(o.constant.bits);
      return;
    case 'I':
      if (o.kind != OperandSyntax::Kind::constant)
        scope_.fail(o.position, std::string(s.name) + " needs a constant here");
      return;
    case 'H':
      source(s, o, {DataType::b64, false});
      return;
    default:
      break;
  }
  const SlotType type = slot_type(slot, i);
  if (!slot.destination) {
    i.add_src(source(s, o, type));
    return;
  }
  i.add_dst(destination(s, o, type));
  if (!o.second.empty()) i.add_dst(predicate(o.second.front(), true));
}

void OperandLowering::operands(const Statement& s, const CompiledForm& form, bool has_hint, Item& item) {
  Instruction& i = item.instruction;
  std::size_t required = 0, most = 0;
  for (const Slot& slot : form.slots) {
    if (is_absent(slot, i, has_hint)) continue;
    ++most;
    if (is_required(slot, i, has_hint)) ++required;
  }
  scope_.require_operands(s, s.name, required, most);
  std::size_t extra = s.operands.size() - required;
  std::size_t next = 0;
  for (const Slot& slot : form.slots) {
    if (is_absent(slot, i, has_hint)) continue;
    if (slot.optional) {
      if (extra == 0) {
        i.add_src(Operand::make_immediate(0, 32));
        continue;
      }
      --extra;
    }
    this->slot(s, slot, s.operands[next++], item);
  }
}

}  // namespace heddle::ptx
