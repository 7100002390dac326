// Instructions by the operand slots of their form.

#include <algorithm>

#include "models/core/error.h"
#include "models/ptx/lowering.h"

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
/// Slots that neither count nor may stand there.
bool is_absent(const Slot& slot, const Instruction& i, bool has_hint) {
  return (slot.kind == 'b' || slot.kind == 'H') && !is_required(slot, i, has_hint);
}

void check_barrier(const Source& source, const Statement& s, const Instruction& i) {
  if (i.src[0].kind == Operand::Kind::immediate && i.src[0].value > 15)
    source.fail(s.position, "barrier number " + std::to_string(i.src[0].value) + " does not exist", "0..15");
  if (i.num_src > 1 && i.src[1].kind == Operand::Kind::immediate && i.src[1].value % 32 != 0)
    source.fail(s.position, "the thread count of a barrier must be a multiple of 32");
}

}  // namespace

FunctionLowering::SlotType FunctionLowering::slot_type(const Slot& slot, const Instruction& i) const {
  switch (slot.kind) {
    case 'S':
      return {i.source_type, slot.wider};
    case 'W':
      return {twice_as_wide(i.type), slot.wider};
    case '4':
      return {DataType::u32, slot.wider};
    case '8':  // an address
      return {context_.module.syntax.address_bits == 32 ? DataType::u32 : DataType::u64, slot.wider};
    case 'p':
    case 'b':
      return {DataType::pred, false};
    default:
      return {i.type, slot.wider};
  }
}

void FunctionLowering::slot(const Statement& s, const Slot& slot, const OperandSyntax& o, Item& item) {
  Instruction& i = item.instruction;
  if (!o.second.empty() && !slot.second_predicate)
    fail(o.position, std::string(s.name) + " has one destination here, not two");
  if (o.kind == OperandSyntax::Kind::address && slot.kind != 'A')
    fail(o.position, std::string(s.name) + " takes no address here");
  switch (slot.kind) {
    case 'A':
      return address_operand(s, o, item);
    case 'V':
      return vector_operands(s, o, slot.destination, item);
    case 'L':
      if (o.kind != OperandSyntax::Kind::constant || o.constant.bits > 255)
        fail(o.position, "the look-up table of " + std::string(s.name) + " must be a constant", "0..255");
      i.modifiers.lut = static_cast<std::uint8_t>(o.constant.bits);
      return;
    case 'I':
      if (o.kind != OperandSyntax::Kind::constant)
        fail(o.position, std::string(s.name) + " needs a constant here");
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

void FunctionLowering::operands(const Statement& s, const CompiledForm& form, bool has_hint, Item& item) {
  Instruction& i = item.instruction;
  std::size_t required = 0, most = 0;
  for (const Slot& slot : form.slots) {
    if (is_absent(slot, i, has_hint)) continue;
    ++most;
    if (is_required(slot, i, has_hint)) ++required;
  }
  if (s.operands.size() < required || s.operands.size() > most) {
    const std::string needs =
        required == most ? std::to_string(most) : std::to_string(required) + " to " + std::to_string(most);
    fail(s.position, std::string(s.name) + " needs " + needs + (most == 1 ? " operand" : " operands") +
                         " here, has " + std::to_string(s.operands.size()));
  }
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

void FunctionLowering::emit(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  i.location = context_.builder.location();
  const Position place = site_.line ? site_ : s.position;
  i.location.ptx_line = place.line;
  i.location.ptx_column = place.column;
  context_.builder.emit(item);
}

void FunctionLowering::instruction(const Statement& s) {
  Item item;
  Instruction& i = item.instruction;
  apply_suffixes(s.match, i);
  i.guard = guard(s.guard);
  const CompiledForm& form = *s.match.form;
  if (!form.slots.empty() && form.slots.front().kind == 'C') return custom(s, item);
  if (i.op == Opcode::exit) {
    if (!s.operands.empty()) fail(s.position, std::string(s.name) + " takes no operands");
    return leave(s, item);
  }
  if (i.type != DataType::none) i.memory.element_bytes = static_cast<std::uint8_t>(bits_of(i.type) / 8);
  bool has_hint = false;
  for (std::size_t g = 0; g < form.groups.size(); ++g)
    has_hint |= form.groups[g].effect == Effect::hint && !s.match.words[g].empty();
  operands(s, form, has_hint, item);
  if (i.modifiers.carry_in) i.add_src(context_.builder.carry());
  if (i.modifiers.carry_out) i.add_dst(context_.builder.carry());
  if (i.op == Opcode::bar) check_barrier(context_.module.source, s, i);
  if (i.op == Opcode::nop) {
    i.num_src = 0;
    i.num_dst = 0;
    item.storage = kNone;
  }
  emit(s, item);
}

}  // namespace heddle::ptx
