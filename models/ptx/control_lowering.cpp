// Moves of every kind, address conversions, branches and returns.

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/declaration_parser.h"
#include "models/ptx/lowering.h"

namespace heddle::ptx {

using namespace isa;

void FunctionLowering::custom(const Statement& s, Item item) {
  if (s.name == "mov") return move(s, item);
  if (s.name == "cvta") return convert_address(s, item);
  if (s.name == "createpolicy") return create_policy(s, item);
  if (s.name == "tex" || s.name == "tld4") return look_up(s, item);
  if (s.name == "txq" || s.name == "suq") return query(s, item);
  if (s.name == "istypep") return test_opaque_type(s, item);
  if (s.name == "suld" || s.name == "sust" || s.name == "sured") return access_surface(s, item);
  if (s.name == "brx") return indexed_branch(s, item.instruction);
  branch(s, item.instruction);
}

void FunctionLowering::move(const Statement& s, Item item) {
  if (s.operands.size() != 2)
    fail(s.position, "mov needs 2 operands here, has " + std::to_string(s.operands.size()));
  for (const OperandSyntax& o : s.operands)
    if (!o.second.empty()) fail(o.position, "mov has one destination, not two");
  const OperandSyntax& from = s.operands[1];
  if (from.kind == OperandSyntax::Kind::vector) return pack(s, item);
  if (s.operands[0].kind == OperandSyntax::Kind::vector) return unpack(s, item);
  Instruction& i = item.instruction;
  i.add_dst(destination(s, s.operands[0], {i.type, false}));
  const bool is_name = from.kind == OperandSyntax::Kind::name && i.type != DataType::pred;
  if (is_name &&
      (names_variable(from) || (!frame_.find(from.name) && context_.module.find_function(from.name))))
    move_address(from, item);
  else
    i.add_src(source(s, from, {i.type, false}));
  emit(s, item);
}

/// A cache policy is a number that nothing looks at.
void FunctionLowering::create_policy(const Statement& s, Item item) {
  const std::string_view kind = s.suffixes.front().text;
  const std::size_t most = kind == "range" ? 4 : 2, least = kind == "fractional" ? 1 : most;
  if (s.operands.size() < least || s.operands.size() > most)
    fail(s.position, "createpolicy." + std::string(kind) + " needs " + std::to_string(most) +
                         " operands here, has " + std::to_string(s.operands.size()));
  item.instruction.add_dst(destination(s, s.operands[0], {item.instruction.type, false}));
  item.instruction.add_src(Operand::make_immediate(0, 64));
  emit(s, item);
}

/// An immediate that is the address of a variable, as far as it is known now.
void FunctionLowering::move_address(const OperandSyntax& o, Item& item) {
  Instruction& i = item.instruction;
  const int bits = bits_of(i.type);
  const Function* function = frame_.find(o.name) ? nullptr : context_.module.find_function(o.name);
  const int address_bits = context_.module.syntax.address_bits;
  if (function && bits == address_bits)
    return i.add_src(Operand::make_immediate(context_.module.address_of(*function), bits));
  const Symbol symbol = variable(o);
  if (!o.component.empty()) fail(o.position, "a variable has no components");
  if (is_float(i.type) || bits < 32) fail(o.position, "an address needs 64 or 32 bits", "mov.u64");
  if (symbol.kind == Symbol::Kind::frame) return i.add_src(frame_address(o, symbol, bits));
  if (bits < address_bits && symbol.space == Space::global)
    fail(o.position, "the address of a global variable does not fit 32 bits", "mov.u64");
  if (symbol.kind == Symbol::Kind::storage) {
    Storage& storage = context_.builder.storage(symbol.storage);
    if (storage.kind == Storage::Kind::call_parameter) storage.address_taken = true;
    item.storage = symbol.storage;
    item.storage_source = i.num_src;
  }
  const std::uint64_t value = symbol.address + static_cast<std::uint64_t>(o.offset);
  i.add_src(Operand::make_immediate(bits == 32 ? value & 0xffff'ffffu : value, bits));
}

/// The address of a variable in the frame.
Operand FunctionLowering::frame_address(const OperandSyntax& o, const Symbol& symbol, int bits) {
  Statement s;
  s.position = o.position;
  Item add;
  add.instruction.op = Opcode::add;
  add.instruction.type = add.instruction.source_type = DataType::u32;
  add.instruction.add_src(context_.frames.pointer);
  add.instruction.add_src(
      Operand::make_immediate((symbol.address + static_cast<std::uint64_t>(o.offset)) & 0xffff'ffffu, 32));
  const Operand address = emit_value(s, add, 32);
  if (bits == 32) return address;
  Item widen;
  widen.instruction.op = Opcode::cvt;
  widen.instruction.type = DataType::u64;
  widen.instruction.source_type = DataType::u32;
  widen.instruction.add_src(address);
  return emit_value(s, widen, 64);
}

void FunctionLowering::pack(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  const OperandSyntax& parts = s.operands[1];
  const int bits = bits_of(i.type);
  const DataType part = bit_type(bits / static_cast<int>(parts.items.size()));
  if (is_float(i.type) || part == DataType::none || part == DataType::b64 ||
      bits_of(part) * static_cast<int>(parts.items.size()) != bits)
    fail(parts.position, "mov cannot pack these elements",
         "mov.b16 of 2 x 8 bits, mov.b32 of 2 x 16 or 4 x 8, mov.b64 of 2 x 32 or 4 x 16");
  i.op = Opcode::pack;
  i.add_dst(destination(s, s.operands[0], {i.type, false}));
  for (const OperandSyntax& element : parts.items) i.add_src(source(s, element, {part, false}));
  emit(s, item);
}

void FunctionLowering::unpack(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  const OperandSyntax& parts = s.operands[0];
  const int bits = bits_of(i.type);
  const DataType part = bit_type(bits / static_cast<int>(parts.items.size()));
  if (is_float(i.type) || part == DataType::none || part == DataType::b64 ||
      bits_of(part) * static_cast<int>(parts.items.size()) != bits)
    fail(parts.position, "mov cannot unpack into these elements",
         "mov.b16 to 2 x 8 bits, mov.b32 to 2 x 16 or 4 x 8, mov.b64 to 2 x 32 or 4 x 16");
  i.op = Opcode::unpack;
  for (const OperandSyntax& element : parts.items) i.add_dst(destination(s, element, {part, false}));
  i.add_src(source(s, s.operands[1], {i.type, false}));
  emit(s, item);
}

void FunctionLowering::convert_address(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  if (s.operands.size() != 2)
    fail(s.position, "cvta needs 2 operands here, has " + std::to_string(s.operands.size()));
  const OperandSyntax& from = s.operands[1];
  i.add_dst(destination(s, s.operands[0], {i.type, false}));
  if (from.kind == OperandSyntax::Kind::name && names_variable(from)) {
    if (const Space space = variable(from).space; space != i.memory.space)
      fail(from.position, "\"" + std::string(from.name) + "\" lies in ." + name_of(space));
    move_address(from, item);
  } else {
    i.add_src(source(s, from, {i.type, false}));
  }
  emit(s, item);
}

LabelId FunctionLowering::label(const OperandSyntax& o, int block) const {
  if (o.kind != OperandSyntax::Kind::name) fail(o.position, "a label is needed here");
  const LabelId id = frame_.find_label(o.name, block);
  if (id == kNone) fail(o.position, "undefined label \"" + std::string(o.name) + "\"");
  return id;
}

void FunctionLowering::branch(const Statement& s, const Instruction& i) {
  if (s.operands.size() != 1)
    fail(s.position, "bra needs 1 operand, has " + std::to_string(s.operands.size()));
  Item item;
  item.instruction = i;
  item.target = label(s.operands[0], s.block);
  emit(s, item);
}

/// brx.idx becomes a chain of compares; an index past the list, undefined in PTX, takes the last target.
void FunctionLowering::indexed_branch(const Statement& s, const Instruction& i) {
  if (s.operands.size() != 2)
    fail(s.position, "brx.idx needs 2 operands, has " + std::to_string(s.operands.size()));
  const Operand index = source(s, s.operands[0], {DataType::u32, false});
  const Statement* targets = frame_.find_targets(s.operands[1].name, s.block);
  if (!targets)
    fail(s.operands[1].position, "undefined .branchtargets list \"" + std::string(s.operands[1].name) + "\"");
  const LabelId behind = context_.builder.new_label({});
  if (i.guard.present) {
    Item skip;
    skip.instruction = i;
    skip.instruction.guard.negated = !i.guard.negated;
    skip.target = behind;
    emit(s, skip);
  }
  const Operand equal = context_.builder.new_predicate(frame_.prefix() + "brx");
  for (std::size_t t = 0; t + 1 < targets->operands.size(); ++t) {
    Item compare;
    compare.instruction.op = Opcode::setp;
    compare.instruction.type = compare.instruction.source_type = DataType::u32;
    compare.instruction.modifiers.compare = Compare::eq;
    compare.instruction.add_dst(equal);
    compare.instruction.add_src(index);
    compare.instruction.add_src(Operand::make_immediate(t, 32));
    emit(s, compare);
    Item jump;
    jump.instruction.op = Opcode::bra;
    jump.instruction.uniform = i.uniform;
    jump.instruction.guard.present = true;
    jump.instruction.guard.pred = equal.pred;
    jump.target = label(targets->operands[t], targets->block);
    emit(s, jump);
  }
  Item last;
  last.instruction.op = Opcode::bra;
  last.instruction.uniform = i.uniform;
  last.target = label(targets->operands.back(), targets->block);
  emit(s, last);
  context_.builder.bind(behind);
}

/// ret of a kernel ends the thread; of an inlined function it goes on after the call, where the function's
/// last statement falls anyway.
void FunctionLowering::leave(const Statement& s, Item item) {
  if (s.name == "ret" && !is_kernel()) {
    if (&s == &body_.statements.back()) return;
    item.instruction.op = Opcode::bra;
    item.target = end_;
  }
  emit(s, item);
}

}  // namespace heddle::ptx
