#include "models/isa/opcode_table.h"

namespace heddle::isa {

const char* name_of(UnitClass c) {
  switch (c) {
    case UnitClass::int_:
      return "int";
    case UnitClass::fp:
      return "fp";
    case UnitClass::sfu:
      return "sfu";
    case UnitClass::ldst:
      return "ldst";
    case UnitClass::control:
      return "control";
    case UnitClass::matrix:
      return "matrix";
  }
  return "?";
}

const char* name_of(OpClass c) {
  switch (c) {
    case OpClass::int_add:
      return "int-add";
    case OpClass::int_mul:
      return "int-mul";
    case OpClass::int_bit:
      return "int-bit";
    case OpClass::int_div:
      return "int-div";
    case OpClass::convert:
      return "convert";
    case OpClass::fp32:
      return "fp32";
    case OpClass::fp64:
      return "fp64";
    case OpClass::fp16:
      return "fp16";
    case OpClass::fp16x2:
      return "fp16x2";
    case OpClass::fp_div:
      return "fp-div";
    case OpClass::fp64_div:
      return "fp64-div";
    case OpClass::sfu:
      return "sfu";
    case OpClass::cross_lane:
      return "cross-lane";
    case OpClass::memory:
      return "memory";
    case OpClass::control:
      return "control";
    case OpClass::matrix_short:
      return "matrix-short";
    case OpClass::matrix_long:
      return "matrix-long";
    case OpClass::matrix_tf32:
      return "matrix-tf32";
    case OpClass::matrix_quad:
      return "matrix-quad";
    case OpClass::matrix_f64:
      return "matrix-f64";
    case OpClass::count_:
      break;
  }
  return "?";
}

UnitClass unit_of(Opcode op) { return row_of(op).unit; }
OpClass class_of(Opcode op) { return row_of(op).op_class; }

const char* name_of(Opcode op) { return op < Opcode::count_ ? row_of(op).name : "?"; }

}  // namespace heddle::isa
