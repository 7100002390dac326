// Finds the lane function of an instruction: the code that executes its operation, with its types and
// modifiers, for all 32 lanes.

#include "models/isa/lanes/lane_loops.h"
#include "models/isa/opcode_table.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

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
  const bool half =
      (is_half(i.type) && (i.op == Opcode::fma || i.op == Opcode::cvt)) || is_narrow_float(i.type);
  const bool clamped = extreme && (i.type == DataType::s32 || i.type == DataType::s16x2);
  if (m.relu && !half && !clamped) return true;
  if (m.satfinite && i.op != Opcode::cvt) return true;
  return !floating && (m.ftz || m.approx || m.full || m.rounding != Rounding::none || m.propagate_nan);
}

bool is_directed(Rounding r) { return r == Rounding::rz || r == Rounding::rm || r == Rounding::rp; }

// Returns true for conversions that may round, because the floating-point destination type cannot represent
// all values of the source type.
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
  switch (row_of(i.op).lanes) {
    case LaneFamily::arithmetic:
      return find_arithmetic(i);
    case LaneFamily::float_arithmetic:
      return is_float(i.type) ? find_arithmetic(i) : nullptr;
    case LaneFamily::single:
      return is_float(i.type) && !is_half(i.type) ? find_float_form(i) : nullptr;
    case LaneFamily::approximation:
      return find_approximation(i);
    case LaneFamily::bits:
      return find_bits(i);
    case LaneFamily::bytes:
      return find_bytes(i);
    case LaneFamily::comparison:
      return find_comparison(i);
    case LaneFamily::logic:
      return find_logic(i);
    case LaneFamily::move:
      return find_move(i);
    case LaneFamily::conversion:
      if (is_narrow_float(i.type) || is_narrow_float(i.source_type)) return find_narrow_conversion(i);
      if (is_half(i.type) || is_half(i.source_type)) return find_half_conversion(i);
      return is_directed(i.modifiers.rounding) && can_round(i) ? find_directed(i) : find_conversion(i);
    case LaneFamily::shuffle:
      return find_shuffle(i);
    case LaneFamily::matrix:
    case LaneFamily::none:
      break;
  }
  return nullptr;
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
