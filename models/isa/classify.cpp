
#include "models/isa/instruction.h"
#include "models/isa/matrix_operands.h"
#include "models/isa/opcode_table.h"

namespace heddle::isa {
namespace {

// Returns the data type that determines the unit of the instruction: for comparisons, the type of the
// operands.
DataType compute_type(const Instruction& i) {
  const bool by_source = i.op == Opcode::set || i.op == Opcode::setp;
  return by_source && i.source_type != DataType::none ? i.source_type : i.type;
}

OpClass arithmetic_of(DataType type) {
  if (type == DataType::f64) return OpClass::fp64;
  if (!is_half(type)) return OpClass::fp32;
  return is_pair(type) ? OpClass::fp16x2 : OpClass::fp16;
}

void classify_float(Instruction& i, DataType type) {
  const bool wide = type == DataType::f64;
  const bool approximate = i.modifiers.approx || i.modifiers.full;
  switch (row_of(i.op).floats) {
    case FloatUnit::quotient:
      i.unit = UnitClass::sfu;
      i.op_class = approximate ? OpClass::sfu : wide ? OpClass::fp64_div : OpClass::fp_div;
      return;
    case FloatUnit::fp:
      i.unit = UnitClass::fp;
      i.op_class = arithmetic_of(type);
      return;
    case FloatUnit::same:
      return;
  }
}

OpClass matrix_class(const Instruction& i) {
  if (i.source_type == DataType::f64) return OpClass::matrix_f64;
  if (multiplies_by_quad_pairs(i)) return OpClass::matrix_quad;
  if (matrix_words(i).a == 4) return OpClass::matrix_long;
  return i.source_type == DataType::tf32 ? OpClass::matrix_tf32 : OpClass::matrix_short;
}

bool is_simple(Opcode op) {
  switch (op) {
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::testp:
    case Opcode::copysign:
    case Opcode::set:
    case Opcode::setp:
    case Opcode::selp:
    case Opcode::slct:
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot:
    case Opcode::lop3:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::mov:
    case Opcode::pack:
    case Opcode::unpack:
    case Opcode::cvt:
    case Opcode::cvta:
    case Opcode::isspacep:
      return true;
    default:
      return false;
  }
}

}  // namespace

OpTiming timing_of(const Instruction& i) {
  if (is_simple(i.op)) return OpTiming::simple;
  const bool narrow =
      i.op_class == OpClass::int_add || i.op_class == OpClass::int_mul || i.op_class == OpClass::fp32;
  if (narrow && (i.op == Opcode::min || i.op == Opcode::max)) return OpTiming::min_max;
  if (narrow && (i.op == Opcode::mad || i.op == Opcode::fma)) return OpTiming::multiply_add;
  if (i.op_class == OpClass::sfu && i.op == Opcode::div) return OpTiming::quotient;
  const bool sequence = i.op_class == OpClass::fp_div || i.op_class == OpClass::fp64_div;
  return sequence && i.op != Opcode::div ? OpTiming::root : OpTiming::own;
}

void classify(Instruction& instruction) {
  instruction.unit = unit_of(instruction.op);
  instruction.op_class = class_of(instruction.op);
  if (instruction.op == Opcode::mma) {
    instruction.op_class = matrix_class(instruction);
    return;
  }
  if (instruction.op == Opcode::cvt) {
    if (is_float(instruction.type) || is_float(instruction.source_type)) {
      instruction.unit = UnitClass::fp;
      instruction.op_class = OpClass::convert;
    }
    return;
  }
  const DataType type = compute_type(instruction);
  if (is_float(type)) classify_float(instruction, type);
}

}  // namespace heddle::isa
