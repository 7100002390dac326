#include "models/isa/opcode.h"

namespace heddle::isa {
namespace {

struct Row {
  const char* name;
  UnitClass unit;
  OpClass op_class;
};

// In the order of Opcode. Unit and class are those of the 32-bit integer form; classify() refines by type.
constexpr Row kRows[] = {
    {"add", UnitClass::int_, OpClass::int_add},
    {"sub", UnitClass::int_, OpClass::int_add},
    {"mul", UnitClass::int_, OpClass::int_mul},
    {"mad", UnitClass::int_, OpClass::int_mul},
    {"mul24", UnitClass::int_, OpClass::int_mul},
    {"mad24", UnitClass::int_, OpClass::int_mul},
    {"sad", UnitClass::int_, OpClass::int_mul},
    {"div", UnitClass::sfu, OpClass::int_div},
    {"rem", UnitClass::sfu, OpClass::int_div},
    {"abs", UnitClass::int_, OpClass::int_add},
    {"neg", UnitClass::int_, OpClass::int_add},
    {"min", UnitClass::int_, OpClass::int_add},
    {"max", UnitClass::int_, OpClass::int_add},
    {"popc", UnitClass::int_, OpClass::int_bit},
    {"clz", UnitClass::int_, OpClass::int_bit},
    {"bfind", UnitClass::int_, OpClass::int_bit},
    {"fns", UnitClass::int_, OpClass::int_bit},
    {"brev", UnitClass::int_, OpClass::int_bit},
    {"bfe", UnitClass::int_, OpClass::int_bit},
    {"bfi", UnitClass::int_, OpClass::int_bit},
    {"bmsk", UnitClass::int_, OpClass::int_bit},
    {"szext", UnitClass::int_, OpClass::int_bit},
    {"dp4a", UnitClass::int_, OpClass::int_mul},
    {"dp2a", UnitClass::int_, OpClass::int_mul},
    {"vabsdiff4", UnitClass::int_, OpClass::int_mul},
    {"fma", UnitClass::fp, OpClass::fp32},
    {"rcp", UnitClass::sfu, OpClass::fp_div},
    {"sqrt", UnitClass::sfu, OpClass::fp_div},
    {"rsqrt", UnitClass::sfu, OpClass::sfu},
    {"sin", UnitClass::sfu, OpClass::sfu},
    {"cos", UnitClass::sfu, OpClass::sfu},
    {"lg2", UnitClass::sfu, OpClass::sfu},
    {"ex2", UnitClass::sfu, OpClass::sfu},
    {"tanh", UnitClass::sfu, OpClass::sfu},
    {"testp", UnitClass::fp, OpClass::fp32},
    {"copysign", UnitClass::fp, OpClass::fp32},
    {"set", UnitClass::int_, OpClass::int_add},
    {"setp", UnitClass::int_, OpClass::int_add},
    {"selp", UnitClass::int_, OpClass::int_add},
    {"slct", UnitClass::int_, OpClass::int_add},
    {"and", UnitClass::int_, OpClass::int_add},
    {"or", UnitClass::int_, OpClass::int_add},
    {"xor", UnitClass::int_, OpClass::int_add},
    {"not", UnitClass::int_, OpClass::int_add},
    {"cnot", UnitClass::int_, OpClass::int_add},
    {"lop3", UnitClass::int_, OpClass::int_add},
    {"shl", UnitClass::int_, OpClass::int_add},
    {"shr", UnitClass::int_, OpClass::int_add},
    {"shf", UnitClass::int_, OpClass::int_bit},
    {"mov", UnitClass::int_, OpClass::int_add},
    {"pack", UnitClass::int_, OpClass::int_add},
    {"unpack", UnitClass::int_, OpClass::int_add},
    {"prmt", UnitClass::int_, OpClass::int_bit},
    {"cvt", UnitClass::int_, OpClass::int_add},
    {"cvta", UnitClass::int_, OpClass::int_add},
    {"isspacep", UnitClass::int_, OpClass::int_add},
    {"shfl", UnitClass::int_, OpClass::cross_lane},
    {"vote", UnitClass::int_, OpClass::cross_lane},
    {"match", UnitClass::int_, OpClass::cross_lane},
    {"activemask", UnitClass::int_, OpClass::cross_lane},
    {"redux", UnitClass::int_, OpClass::cross_lane},
    {"ld", UnitClass::ldst, OpClass::memory},
    {"st", UnitClass::ldst, OpClass::memory},
    {"atom", UnitClass::ldst, OpClass::memory},
    {"red", UnitClass::ldst, OpClass::memory},
    {"membar", UnitClass::ldst, OpClass::memory},
    {"prefetch", UnitClass::ldst, OpClass::memory},
    {"tex", UnitClass::ldst, OpClass::memory},
    {"bra", UnitClass::control, OpClass::control},
    {"bar", UnitClass::control, OpClass::control},
    {"bar.warp", UnitClass::control, OpClass::control},
    {"exit", UnitClass::control, OpClass::control},
    {"nanosleep", UnitClass::control, OpClass::control},
    {"trap", UnitClass::control, OpClass::control},
    {"nop", UnitClass::control, OpClass::control},
};
static_assert(sizeof(kRows) / sizeof(kRows[0]) == static_cast<std::size_t>(Opcode::count_));

const Row& row_of(Opcode op) { return kRows[static_cast<std::size_t>(op)]; }

}  // namespace

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
    case OpClass::count_:
      break;
  }
  return "?";
}

UnitClass unit_of(Opcode op) { return row_of(op).unit; }
OpClass class_of(Opcode op) { return row_of(op).op_class; }

const char* name_of(Opcode op) { return op < Opcode::count_ ? row_of(op).name : "?"; }

}  // namespace heddle::isa
