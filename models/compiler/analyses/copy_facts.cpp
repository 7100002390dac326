#include "models/compiler/analyses/copy_facts.h"

#include <algorithm>

namespace heddle::compiler {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::UnitClass;

std::optional<CopyFact> fact_of(const Instruction& i) {
  if (i.guard.present || i.num_dst != 1 || i.num_src != 1 || i.metadata) return std::nullopt;
  const Operand& to = i.dst[0];
  Operand from = i.src[0];
  if (i.op == Opcode::not_ && i.type == isa::DataType::pred && from.is_pred()) {
    from.negated = !from.negated;
  } else if (i.op != Opcode::mov) {
    return std::nullopt;
  }
  if (to.is_pred()) {
    if (!from.is_pred() && (from.kind != Operand::Kind::immediate || from.bits != 1)) return std::nullopt;
    if (from.is_pred() && from.pred == to.pred) return std::nullopt;
    return CopyFact{to, from};
  }
  if (!to.is_reg() || to.bits != from.bits) return std::nullopt;
  if (from.is_reg()) {
    const std::uint32_t words = static_cast<std::uint32_t>(to.words());
    if (to.reg.value < from.reg.value + words && from.reg.value < to.reg.value + words) return std::nullopt;
  } else if (from.kind != Operand::Kind::immediate && from.kind != Operand::Kind::param) {
    return std::nullopt;
  }
  return CopyFact{to, from};
}

bool is_constant(const Operand& o) {
  return o.kind == Operand::Kind::immediate || o.kind == Operand::Kind::param;
}

bool is_arithmetic(const Instruction& i) {
  switch (i.op) {
    case Opcode::cvt:
    case Opcode::cvta:
    case Opcode::isspacep:
    case Opcode::pack:
    case Opcode::unpack:
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::movmatrix:
      return false;
    default:
      return i.unit == UnitClass::int_ || i.unit == UnitClass::fp || i.unit == UnitClass::sfu;
  }
}

bool changes_control_flow(const Instruction& i) {
  return i.is_branch() || i.op == Opcode::exit || i.op == Opcode::trap;
}

bool accepts(const Instruction& i, std::size_t s, const Operand& constant) {
  if (i.op == Opcode::mov) return true;
  if (i.src[s].is_pred()) return is_arithmetic(i);
  if (i.op == Opcode::ld || i.op == Opcode::st) return s == 0 && constant.kind == Operand::Kind::immediate;
  if (!is_arithmetic(i)) return false;
  const auto sources = i.sources();
  return std::none_of(sources.begin(), sources.end(),
                      [](const Operand& o) { return is_constant(o) && o.bits != 1; });
}

}  // namespace heddle::compiler
