#include "models/ptx/fixed_operands.h"

#include <bit>

#include "models/core/error.h"
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

Operand FixedOperands::special(const OperandSyntax& o, int bits) const {
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
  if (info->time) scope_.context.program.machine_reads |= isa::Program::kReadsTime;
  if (info->placement) scope_.context.program.machine_reads |= isa::Program::kReadsPlacement;
  Operand special = Operand::make_special(info->id, bits);
  special.index = info->index;
  return special;
}

Operand FixedOperands::immediate(const Statement& s, const OperandSyntax& o, DataType type) const {
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

}  // namespace heddle::ptx
