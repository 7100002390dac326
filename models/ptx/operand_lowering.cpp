// Operands: registers, immediates, special registers, with PTX's type checks (9.4).

#include <bit>

#include "models/core/error.h"
#include "models/ptx/operand_lowering.h"
#include "models/ptx/special_registers.h"

namespace heddle::ptx {

using namespace isa;

namespace {

std::uint64_t low_bits(std::uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

bool is_bits(DataType t) {
  return t == DataType::b8 || t == DataType::b16 || t == DataType::b32 || t == DataType::b64;
}

}  // namespace

Operand OperandLowering::special_operand(const OperandSyntax& o, int bits) {
  const auto info = find_special_register(o.name, o.component);
  if (!info) {
    if (const char* name = refused_special_register(o.name))
      scope_.context.module.source.refuse(o.position, name, full_name(o));
    if (o.name.starts_with("%") && !o.component.empty())
      scope_.fail(o.position, "unknown special register " + full_name(o), list_special_registers());
    scope_.fail(o.position, "undeclared register or name " + quoted(full_name(o)));
  }
  if (bits > info->bits)
    scope_.fail(o.position, full_name(o) + " has " + std::to_string(info->bits) + " bits, " +
                                std::to_string(bits) + " are needed");
  scope_.context.program.reads_time |= info->time;
  scope_.context.program.reads_placement |= info->placement;
  Operand special = Operand::make_special(info->id, bits);
  special.index = info->index;
  return special;
}

Operand OperandLowering::immediate(const Statement& s, const OperandSyntax& o, DataType type) const {
  if (is_half(type))
    scope_.fail(o.position, std::string(s.name) + " of half precision needs a register here",
                "mov.b16, mov.b32");
  const ConstantValue& c = o.constant;
  const int bits = bits_of(type);
  if (type == DataType::pred) {
    if (c.kind != ConstantValue::Kind::integer)
      scope_.fail(o.position, "a predicate cannot be a floating-point constant");
    return Operand::make_immediate(c.bits != 0 ? 1 : 0, 1);
  }
  if (c.kind == ConstantValue::Kind::integer) {
    if (is_float(type))
      scope_.fail(o.position, std::string(s.name) + " needs a floating-point constant here",
                  "0f3F800000, 0d3FF0000000000000, 1.0");
    return Operand::make_immediate(low_bits(c.bits, bits), bits);
  }
  const bool is_double = c.kind == ConstantValue::Kind::float64;
  if (!is_float(type) && !(is_bits(type) && bits >= 32))
    scope_.fail(o.position, std::string(s.name) + " needs an integer constant here");
  if (bits == 32) {
    if (!is_double) return Operand::make_immediate(c.bits, 32);
    return Operand::make_immediate(
        std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(c.bits))), 32);
  }
  if (is_double) return Operand::make_immediate(c.bits, 64);
  const double value = std::bit_cast<float>(static_cast<std::uint32_t>(c.bits));
  return Operand::make_immediate(std::bit_cast<std::uint64_t>(value), 64);
}

Operand OperandLowering::predicate(const OperandSyntax& o, bool is_destination) {
  if (o.kind == OperandSyntax::Kind::sink && is_destination) return {};
  if (o.kind == OperandSyntax::Kind::constant && !is_destination) {
    if (o.constant.kind != ConstantValue::Kind::integer)
      scope_.fail(o.position, "a predicate cannot be a floating-point constant");
    return Operand::make_immediate(o.constant.bits != 0 ? 1 : 0, 1);
  }
  if (o.kind != OperandSyntax::Kind::name) scope_.fail(o.position, "a predicate register is needed here");
  const Operand* found = scope_.find_register(o);
  if (!found) scope_.fail(o.position, "undeclared predicate " + quoted(full_name(o)));
  if (!found->is_pred()) scope_.fail(o.position, quoted(o.name) + " is no predicate register");
  if (o.negated && is_destination) scope_.fail(o.position, "a destination cannot be negated");
  Operand p = *found;
  p.negated = o.negated;
  return p;
}

Guard OperandLowering::guard(const GuardSyntax& g) {
  Guard result;
  if (g.predicate.empty()) return result;
  OperandSyntax o;
  o.kind = OperandSyntax::Kind::name;
  o.name = g.predicate;
  o.position = g.position;
  result.present = true;
  result.negated = g.negated;
  result.pred = predicate(o, false).pred;
  return result;
}

/// A register of the right width. Where the form allows it, values may sit in wider registers (PTX ISA 9.4.1).
Operand OperandLowering::register_operand(const Statement& s, const OperandSyntax& o, SlotType type) {
  const Operand* reg = scope_.find_register(o);
  if (!reg) scope_.fail(o.position, "undeclared register " + quoted(full_name(o)));
  const std::string where = std::string(s.name) + " needs ";
  if (reg->is_pred())
    scope_.fail(o.position, quoted(o.name) + " is a predicate, " + where +
                                std::to_string(bits_of(type.type)) + " bits here");
  if (o.has_offset) scope_.fail(o.position, "an offset stands only in addresses");
  if (o.negated) scope_.fail(o.position, "only predicates can be negated by \"!\"");
  const int bits = bits_of(type.type);
  const bool may_widen = type.wider;
  if (reg->bits != bits && !(may_widen && reg->bits > bits))
    scope_.fail(o.position, "register " + full_name(o) + " has " + std::to_string(reg->bits) + " bits, " +
                                where + std::to_string(bits) + (may_widen ? " or more" : "") + " here");
  return *reg;
}

Operand OperandLowering::destination(const Statement& s, const OperandSyntax& o, SlotType type) {
  if (type.type == DataType::pred) return predicate(o, true);
  if (o.kind == OperandSyntax::Kind::sink) return {};
  if (o.kind != OperandSyntax::Kind::name)
    scope_.fail(o.position, "the destination of " + std::string(s.name) + " must be a register");
  if (!scope_.frame.find(o.name) && find_special_register(o.name, o.component))
    scope_.fail(o.position, "special register " + full_name(o) + " cannot be written");
  return register_operand(s, o, type);
}

Operand OperandLowering::source(const Statement& s, const OperandSyntax& o, SlotType type) {
  if (type.type == DataType::pred) return predicate(o, false);
  if (o.kind == OperandSyntax::Kind::constant) return immediate(s, o, type.type);
  if (o.kind != OperandSyntax::Kind::name)
    scope_.fail(o.position, "a source of " + std::string(s.name) + " must be a register or a constant");
  if (scope_.frame.find(o.name)) {
    if (scope_.names_variable(o))
      scope_.fail(o.position,
                  quoted(o.name) + " is a variable: " + std::string(s.name) + " cannot take its address",
                  "mov, cvta, an address in brackets");
    return register_operand(s, o, type);
  }
  if (scope_.context.module.symbols.count(o.name) != 0)
    scope_.fail(o.position,
                quoted(o.name) + " is a variable: " + std::string(s.name) + " cannot take its address",
                "mov, cvta, an address in brackets");
  return special_operand(o, bits_of(type.type));
}

void OperandLowering::vector_operands(const Statement& s, const OperandSyntax& o, bool is_destination,
                                      Item& item) {
  Instruction& i = item.instruction;
  const SlotType type{i.type, true};
  const auto add = [&](const OperandSyntax& element) {
    if (is_destination)
      i.add_dst(destination(s, element, type));
    else
      i.add_src(source(s, element, type));
  };
  if (i.memory.elements == 1) return add(scope_.spell_out(o));
  const std::size_t count = i.memory.elements;
  const OperandSyntax vector = scope_.spell_out(o);
  if (vector.kind != OperandSyntax::Kind::vector)
    scope_.fail(o.position, "a vector of " + std::to_string(count) + " registers is needed here",
                "{a, b, ...} or a vector register");
  if (vector.items.size() != count)
    scope_.fail(o.position, "the vector has " + std::to_string(vector.items.size()) + " elements, ." + "v" +
                                std::to_string(count) + " needs " + std::to_string(count));
  for (const OperandSyntax& element : vector.items) add(element);
}

}  // namespace heddle::ptx
