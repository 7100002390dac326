
#include "models/ptx/move_lowering.h"

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/declaration_parser.h"

namespace heddle::ptx {

using namespace isa;

void MoveLowering::move(const Statement& s, Item item) {
  scope_.require_operands(s, 2);
  for (const OperandSyntax& o : s.operands)
    if (!o.second.empty()) scope_.fail(o.position, "mov has one destination, not two");
  const OperandSyntax to = scope_.spell_out(s.operands[0]), from = scope_.spell_out(s.operands[1]);
  Instruction& i = item.instruction;
  if (i.memory.elements != 1) return move_vector(s, to, from, item);
  if (from.kind == OperandSyntax::Kind::vector) return pack(s, from, item);
  if (to.kind == OperandSyntax::Kind::vector) return unpack(s, to, item);
  i.add_dst(operands_.destination(s, to, {i.type, false}));
  const bool is_name = from.kind == OperandSyntax::Kind::name && i.type != DataType::pred;
  if (is_name && (scope_.names_variable(from) ||
                  (!scope_.frame.find(from.name) && scope_.context.module.find_function(from.name))))
    operands_.move_address(from, item);
  else
    i.add_src(operands_.source(s, from, {i.type, false}));
  scope_.emit(s, item);
}

/// Translates a move of a vector to moves of its elements. If a register is a source and an earlier
/// destination, its old value is copied first.
void MoveLowering::move_vector(const Statement& s, const OperandSyntax& to, const OperandSyntax& from,
                               Item item) {
  Instruction& i = item.instruction;
  const std::size_t count = i.memory.elements;
  i.memory.elements = 1;
  for (const OperandSyntax* o : {&to, &from})
    if (o->kind != OperandSyntax::Kind::vector || o->items.size() != count)
      scope_.fail(o->position, "a vector of " + std::to_string(count) + " registers is needed here",
                  "{a, b, ...} or a vector register");
  std::vector<Operand> targets, sources;
  for (std::size_t e = 0; e < count; ++e) {
    targets.push_back(operands_.destination(s, to.items[e], {i.type, false}));
    sources.push_back(operands_.source(s, from.items[e], {i.type, false}));
  }
  const auto same = [](const Operand& a, const Operand& b) {
    return a.kind == b.kind &&
           (a.is_pred() ? a.pred == b.pred : a.kind == Operand::Kind::reg && a.reg == b.reg);
  };
  for (std::size_t e = 1; e < count; ++e) {
    const bool overwritten = std::any_of(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(e),
                                         [&](const Operand& t) { return same(t, sources[e]); });
    if (!overwritten) continue;
    Item kept = make_item(Opcode::mov, i.type, {sources[e]});
    sources[e] = scope_.emit_value(s, kept, bits_of(i.type));
  }
  for (std::size_t e = 0; e < count; ++e) {
    if (to.items[e].kind == OperandSyntax::Kind::sink) continue;
    Item one = item;
    one.instruction.add_dst(targets[e]);
    one.instruction.add_src(sources[e]);
    scope_.emit(s, one);
  }
}

/// createpolicy returns the constant 0, because cache policies have no effect.
void MoveLowering::create_policy(const Statement& s, Item item) {
  const std::string_view kind = s.suffixes.front().text;
  const std::size_t most = kind == "range" ? 4 : 2, least = kind == "fractional" ? 1 : most;
  scope_.require_operands(s, "createpolicy." + std::string(kind), least, most);
  item.instruction.add_dst(operands_.destination(s, s.operands[0], {item.instruction.type, false}));
  item.instruction.add_src(Operand::make_immediate(0, 64));
  scope_.emit(s, item);
}

void MoveLowering::pack(const Statement& s, const OperandSyntax& parts, Item item) {
  Instruction& i = item.instruction;
  const int bits = bits_of(i.type);
  const DataType part = bit_type(bits / static_cast<int>(parts.items.size()));
  if (is_float(i.type) || part == DataType::none || part == DataType::b64 ||
      bits_of(part) * static_cast<int>(parts.items.size()) != bits)
    scope_.fail(parts.position, "mov cannot pack these elements",
                "mov.b16 of 2 x 8 bits, mov.b32 of 2 x 16 or 4 x 8, mov.b64 of 2 x 32 or 4 x 16");
  i.op = Opcode::pack;
  i.add_dst(operands_.destination(s, s.operands[0], {i.type, false}));
  for (const OperandSyntax& element : parts.items) i.add_src(operands_.source(s, element, {part, false}));
  scope_.emit(s, item);
}

void MoveLowering::unpack(const Statement& s, const OperandSyntax& parts, Item item) {
  Instruction& i = item.instruction;
  const int bits = bits_of(i.type);
  const DataType part = bit_type(bits / static_cast<int>(parts.items.size()));
  if (is_float(i.type) || part == DataType::none || part == DataType::b64 ||
      bits_of(part) * static_cast<int>(parts.items.size()) != bits)
    scope_.fail(parts.position, "mov cannot unpack into these elements",
                "mov.b16 to 2 x 8 bits, mov.b32 to 2 x 16 or 4 x 8, mov.b64 to 2 x 32 or 4 x 16");
  i.op = Opcode::unpack;
  for (const OperandSyntax& element : parts.items)
    i.add_dst(operands_.destination(s, element, {part, false}));
  i.add_src(operands_.source(s, s.operands[1], {i.type, false}));
  scope_.emit(s, item);
}

void MoveLowering::convert_address(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  scope_.require_operands(s, 2);
  const OperandSyntax& from = s.operands[1];
  i.add_dst(operands_.destination(s, s.operands[0], {i.type, false}));
  if (from.kind == OperandSyntax::Kind::name && scope_.names_variable(from)) {
    if (const Space space = scope_.variable(from).space; space != i.memory.space)
      scope_.fail(from.position, "\"" + std::string(from.name) + "\" lies in ." + name_of(space));
    operands_.move_address(from, item);
  } else {
    i.add_src(operands_.source(s, from, {i.type, false}));
  }
  scope_.emit(s, item);
}

}  // namespace heddle::ptx
