// Picks the family of a form.

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

// Modifiers that the operation does not have in any of its forms. What remains is for the families to judge.
bool has_foreign_modifiers(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  const bool floating = is_float(i.type) || is_float(i.source_type);
  const bool carries = i.op == Opcode::add || i.op == Opcode::sub || i.op == Opcode::mad;
  const bool saturates = carries || i.op == Opcode::mul || i.op == Opcode::mad24 || i.op == Opcode::fma ||
                         i.op == Opcode::cvt || i.op == Opcode::vabsdiff4;
  const bool multiplies = i.op == Opcode::mul || i.op == Opcode::mad || i.op == Opcode::mul24 ||
                          i.op == Opcode::mad24 || i.op == Opcode::dp2a;
  if ((m.carry_in || m.carry_out) && (floating || !carries)) return true;
  if (m.sat && !saturates) return true;
  if (m.part != Part::none && (floating || !multiplies)) return true;
  const bool extreme = i.op == Opcode::min || i.op == Opcode::max;
  if (m.propagate_nan && !extreme) return true;
  const bool half = is_half(i.type) && (i.op == Opcode::fma || i.op == Opcode::cvt);
  const bool clamped = extreme && (i.type == DataType::s32 || i.type == DataType::s16x2);
  if (m.relu && !half && !clamped) return true;
  if (m.satfinite && i.op != Opcode::cvt) return true;
  return !floating && (m.ftz || m.approx || m.full || m.rounding != Rounding::none || m.propagate_nan);
}

bool is_directed(Rounding r) { return r == Rounding::rz || r == Rounding::rm || r == Rounding::rp; }

// A conversion that can round: to a float that does not hold all values of the source.
bool can_round(const Instruction& i) {
  if (i.source_type == DataType::f64) return i.type == DataType::f32;
  const int mantissa = i.type == DataType::f32 ? 24 : i.type == DataType::f64 ? 53 : 64;
  return !is_float(i.source_type) && bits_of(i.source_type) > mantissa;
}

LaneFunction find_float_form(const Instruction& i) {
  if (i.modifiers.approx || i.modifiers.full) return find_approximation(i);
  if (is_directed(i.modifiers.rounding)) return find_directed(i);
  return i.modifiers.rounding <= Rounding::rn ? find_float(i) : nullptr;
}

LaneFunction find_arithmetic(const Instruction& i) {
  if (is_half(i.type)) return find_half(i);
  if (is_pair(i.type) || i.modifiers.relu) return find_packed(i);
  if (is_float(i.type)) return find_float_form(i);
  return i.modifiers.carry_in || i.modifiers.carry_out ? find_carry(i) : find_integer(i);
}

}  // namespace

LaneFunction find_form(const Instruction& i) {
  if (has_foreign_modifiers(i)) return nullptr;
  switch (i.op) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::div:
    case Opcode::rem:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::min:
    case Opcode::max:
    case Opcode::mul24:
    case Opcode::mad24:
    case Opcode::sad:
      return find_arithmetic(i);
    case Opcode::fma:
      return is_float(i.type) ? find_arithmetic(i) : nullptr;
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::testp:
    case Opcode::copysign:
      return is_half(i.type) ? nullptr : is_float(i.type) ? find_float_form(i) : nullptr;
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh:
      return find_approximation(i);
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::bfind:
    case Opcode::fns:
    case Opcode::brev:
    case Opcode::bfe:
    case Opcode::bfi:
    case Opcode::bmsk:
    case Opcode::szext:
      return find_bits(i);
    case Opcode::dp4a:
    case Opcode::dp2a:
    case Opcode::vabsdiff4:
    case Opcode::prmt:
      return find_bytes(i);
    case Opcode::set:
    case Opcode::setp:
    case Opcode::selp:
    case Opcode::slct:
      return find_comparison(i);
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot:
    case Opcode::lop3:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::shf:
      return find_logic(i);
    case Opcode::mov:
    case Opcode::pack:
    case Opcode::unpack:
    case Opcode::cvta:
    case Opcode::isspacep:
      return find_move(i);
    case Opcode::cvt:
      if (is_half(i.type) || is_half(i.source_type)) return find_half_conversion(i);
      return is_directed(i.modifiers.rounding) && can_round(i) ? find_directed(i) : find_conversion(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
