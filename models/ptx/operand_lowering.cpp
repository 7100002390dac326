// Translates register and predicate operands, with the type checks of PTX (PTX ISA 9.4).

#include "models/ptx/operand_lowering.h"
#include "models/core/error.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/special_registers.h"

namespace heddle::ptx {

using namespace isa;

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

/// Translates a register operand. The register must have the width of `type`, or be wider where the
/// instruction form allows it (PTX ISA 9.4.1).
Operand OperandLowering::register_operand(const Statement& s, const OperandSyntax& o, SlotType type) {
  const Operand* reg = scope_.find_register(o);
  if (!reg) scope_.fail(o.position, "undeclared register " + quoted(full_name(o)));
  const std::string where = std::string(s.name) + " needs ";
  if (reg->is_pred())
    scope_.fail(o.position, quoted(o.name) + " is a predicate, " + where +
                                std::to_string(bits_of(type.type)) + " bits here");
  if (o.has_offset) scope_.fail(o.position, "an offset stands only in addresses and in sources");
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

/// Translates a source operand such as `%r + 1`: emits the addition and returns the register with the sum.
Operand OperandLowering::sum(const Statement& s, const OperandSyntax& o, SlotType type) {
  OperandSyntax plain = o;
  plain.has_offset = false;
  const Operand reg = register_operand(s, plain, type);
  if (is_float(type.type) || reg.bits < 16)
    scope_.fail(o.position, "a constant is added to integers of 16 bits and more here, not to ." +
                                std::string(name_of(type.type)));
  const std::uint64_t constant =
      static_cast<std::uint64_t>(o.offset) & (~std::uint64_t{0} >> (64 - reg.bits));
  Item add = make_item(Opcode::add, integer_type(reg.bits, false),
                       {reg, Operand::make_immediate(constant, reg.bits)});
  return scope_.emit_value(s, add, reg.bits);
}

Operand OperandLowering::source(const Statement& s, const OperandSyntax& o, SlotType type) {
  if (type.type == DataType::pred) return predicate(o, false);
  if (o.kind == OperandSyntax::Kind::constant) return fixed_.immediate(s, o, type.type);
  if (o.kind != OperandSyntax::Kind::name)
    scope_.fail(o.position, "a source of " + std::string(s.name) + " must be a register or a constant");
  if (scope_.frame.find(o.name)) {
    if (scope_.names_variable(o))
      scope_.fail(o.position,
                  quoted(o.name) + " is a variable: " + std::string(s.name) + " cannot take its address",
                  "mov, cvta, an address in brackets");
    return o.has_offset ? sum(s, o, type) : register_operand(s, o, type);
  }
  if (scope_.context.module.symbols.count(o.name) != 0)
    scope_.fail(o.position,
                quoted(o.name) + " is a variable: " + std::string(s.name) + " cannot take its address",
                "mov, cvta, an address in brackets");
  return fixed_.special(o, bits_of(type.type));
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
