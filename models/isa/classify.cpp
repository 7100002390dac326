
#include "models/isa/instruction.h"
#include "models/isa/matrix_operands.h"
#include "models/isa/opcode_table.h"

namespace heddle::isa {
namespace {

// Data type that decides which unit executes the instruction: for comparisons, the type of the operands.
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

// Returns the latency class of a matrix instruction. It depends on the types and on the number of words of A.
OpClass matrix_class(const Instruction& i) {
  if (i.source_type == DataType::f64) return OpClass::matrix_f64;
  if (multiplies_by_quad_pairs(i)) return OpClass::matrix_quad;
  if (matrix_words(i).a == 4) return OpClass::matrix_long;
  return i.source_type == DataType::tf32 ? OpClass::matrix_tf32 : OpClass::matrix_short;
}

}  // namespace

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
