// Which unit executes an instruction, and with which latency class: by its operation, type and modifiers.

#include "models/isa/instruction.h"

namespace heddle::isa {
namespace {

// The type that decides the unit: comparisons are done where their operands live.
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
  switch (i.op) {
    case Opcode::div:
    case Opcode::rcp:
    case Opcode::sqrt:
      i.unit = UnitClass::sfu;
      i.op_class = approximate ? OpClass::sfu : wide ? OpClass::fp64_div : OpClass::fp_div;
      return;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::fma:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::min:
    case Opcode::max:
    case Opcode::testp:
    case Opcode::copysign:
    case Opcode::set:
    case Opcode::setp:
      i.unit = UnitClass::fp;
      i.op_class = arithmetic_of(type);
      return;
    default:
      return;  // moves, selections and the approximations do not depend on the type
  }
}

}  // namespace

void classify(Instruction& instruction) {
  instruction.unit = unit_of(instruction.op);
  instruction.op_class = class_of(instruction.op);
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
