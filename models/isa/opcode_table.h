#pragma once

// Table of all operations with unit, latency class and operands. A new operation needs a name in Opcode, a
// row in this table, a form in models/ptx/instruction_table.cpp, and its arithmetic in models/isa/lanes.

#include "models/isa/opcode.h"

namespace heddle::isa {

/// Execution unit and latency class that an operation has for floating-point types.
enum class FloatUnit : std::uint8_t {
  same,      ///< The same unit and class as for integers. Used for moves, selections and approximations.
  fp,        ///< Floating-point unit, with the latency class of the type's width.
  quotient,  ///< Special function unit, which executes a division sequence or an approximation.
};

/// Group of functions in models/isa/lanes that implements the arithmetic of an operation.
enum class LaneFamily : std::uint8_t {
  none,              ///< No lane arithmetic (memory, control), or a cross-lane operation other than shfl.
  arithmetic,        ///< Integers, carries, f32 and f64, f16 and bf16.
  float_arithmetic,  ///< Like `arithmetic`, without integers.
  single,            ///< f32 and f64 only.
  approximation,
  bits,
  bytes,
  comparison,
  logic,
  move,
  conversion,
  shuffle,
  matrix,
};

struct OpcodeRow {
  Opcode op;
  const char* name;
  UnitClass unit;
  OpClass op_class;
  FloatUnit floats;
  LaneFamily lanes;
  /// Operands of the operation, as letters of operand_shape.h: the results, a blank, the sources. t stands
  /// for the letter of the data type, s for the letter of the source type. "=N" means one result and N
  /// sources of the data type, plus the extra operands of `.wide` and of carries. Empty: operand_shape.cpp
  /// computes the shape.
  const char* operands;
};

// Static instead of inline, because lane functions are compiled for several sets of host instructions, which
// must not share data. clang-format off
static constexpr OpcodeRow kOpcodeTable[] = {
    {Opcode::add, "add", UnitClass::int_, OpClass::int_add, FloatUnit::fp, LaneFamily::arithmetic, "=2"},
    {Opcode::sub, "sub", UnitClass::int_, OpClass::int_add, FloatUnit::fp, LaneFamily::arithmetic, "=2"},
    {Opcode::mul, "mul", UnitClass::int_, OpClass::int_mul, FloatUnit::fp, LaneFamily::arithmetic, "=2"},
    {Opcode::mad, "mad", UnitClass::int_, OpClass::int_mul, FloatUnit::fp, LaneFamily::arithmetic, "=3"},
    {Opcode::mul24, "mul24", UnitClass::int_, OpClass::int_mul, FloatUnit::same, LaneFamily::arithmetic,
     "=2"},
    {Opcode::mad24, "mad24", UnitClass::int_, OpClass::int_mul, FloatUnit::same, LaneFamily::arithmetic,
     "=3"},
    {Opcode::sad, "sad", UnitClass::int_, OpClass::int_mul, FloatUnit::same, LaneFamily::arithmetic, "=3"},
    {Opcode::div, "div", UnitClass::sfu, OpClass::int_div, FloatUnit::quotient, LaneFamily::arithmetic, "=2"},
    {Opcode::rem, "rem", UnitClass::sfu, OpClass::int_div, FloatUnit::same, LaneFamily::arithmetic, "=2"},
    {Opcode::abs, "abs", UnitClass::int_, OpClass::int_add, FloatUnit::fp, LaneFamily::arithmetic, "=1"},
    {Opcode::neg, "neg", UnitClass::int_, OpClass::int_add, FloatUnit::fp, LaneFamily::arithmetic, "=1"},
    {Opcode::min, "min", UnitClass::int_, OpClass::int_add, FloatUnit::fp, LaneFamily::arithmetic, "=2"},
    {Opcode::max, "max", UnitClass::int_, OpClass::int_add, FloatUnit::fp, LaneFamily::arithmetic, "=2"},
    {Opcode::popc, "popc", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bits, "w t"},
    {Opcode::clz, "clz", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bits, "w t"},
    {Opcode::bfind, "bfind", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bits, "w t"},
    {Opcode::fns, "fns", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bits, "w www"},
    {Opcode::brev, "brev", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bits, "=1"},
    {Opcode::bfe, "bfe", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bits, "t tww"},
    {Opcode::bfi, "bfi", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bits, "t ttww"},
    {Opcode::bmsk, "bmsk", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bits, "w ww"},
    {Opcode::szext, "szext", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bits, "w ww"},
    {Opcode::dp4a, "dp4a", UnitClass::int_, OpClass::int_mul, FloatUnit::same, LaneFamily::bytes, "w www"},
    {Opcode::dp2a, "dp2a", UnitClass::int_, OpClass::int_mul, FloatUnit::same, LaneFamily::bytes, "w www"},
    {Opcode::vabsdiff4, "vabsdiff4", UnitClass::int_, OpClass::int_mul, FloatUnit::same, LaneFamily::bytes,
     "w www"},
    {Opcode::fma, "fma", UnitClass::fp, OpClass::fp32, FloatUnit::fp, LaneFamily::float_arithmetic, "=3"},
    {Opcode::rcp, "rcp", UnitClass::sfu, OpClass::fp_div, FloatUnit::quotient, LaneFamily::single, "=1"},
    {Opcode::sqrt, "sqrt", UnitClass::sfu, OpClass::fp_div, FloatUnit::quotient, LaneFamily::single, "=1"},
    {Opcode::rsqrt, "rsqrt", UnitClass::sfu, OpClass::sfu, FloatUnit::same, LaneFamily::approximation, "=1"},
    {Opcode::sin, "sin", UnitClass::sfu, OpClass::sfu, FloatUnit::same, LaneFamily::approximation, "=1"},
    {Opcode::cos, "cos", UnitClass::sfu, OpClass::sfu, FloatUnit::same, LaneFamily::approximation, "=1"},
    {Opcode::lg2, "lg2", UnitClass::sfu, OpClass::sfu, FloatUnit::same, LaneFamily::approximation, "=1"},
    {Opcode::ex2, "ex2", UnitClass::sfu, OpClass::sfu, FloatUnit::same, LaneFamily::approximation, "=1"},
    {Opcode::tanh, "tanh", UnitClass::sfu, OpClass::sfu, FloatUnit::same, LaneFamily::approximation, "=1"},
    {Opcode::testp, "testp", UnitClass::fp, OpClass::fp32, FloatUnit::fp, LaneFamily::single, "p t"},
    {Opcode::copysign, "copysign", UnitClass::fp, OpClass::fp32, FloatUnit::fp, LaneFamily::single, "=2"},
    {Opcode::set, "set", UnitClass::int_, OpClass::int_add, FloatUnit::fp, LaneFamily::comparison, ""},
    {Opcode::setp, "setp", UnitClass::int_, OpClass::int_add, FloatUnit::fp, LaneFamily::comparison, ""},
    {Opcode::selp, "selp", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::comparison,
     "t ttp"},
    {Opcode::slct, "slct", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::comparison,
     "t tts"},
    {Opcode::and_, "and", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::logic, "=2"},
    {Opcode::or_, "or", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::logic, "=2"},
    {Opcode::xor_, "xor", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::logic, "=2"},
    {Opcode::not_, "not", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::logic, "=1"},
    {Opcode::cnot, "cnot", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::logic, "=1"},
    {Opcode::lop3, "lop3", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::logic, ""},
    {Opcode::shl, "shl", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::logic, "t tw"},
    {Opcode::shr, "shr", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::logic, "t tw"},
    {Opcode::shf, "shf", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::logic, "w www"},
    {Opcode::mov, "mov", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::move, "=1"},
    {Opcode::pack, "pack", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::move, ""},
    {Opcode::unpack, "unpack", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::move, ""},
    {Opcode::prmt, "prmt", UnitClass::int_, OpClass::int_bit, FloatUnit::same, LaneFamily::bytes, "w www"},
    {Opcode::cvt, "cvt", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::conversion, ""},
    {Opcode::cvta, "cvta", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::move, "=1"},
    {Opcode::isspacep, "isspacep", UnitClass::int_, OpClass::int_add, FloatUnit::same, LaneFamily::move,
     "p e"},
    {Opcode::shfl, "shfl", UnitClass::int_, OpClass::cross_lane, FloatUnit::same, LaneFamily::shuffle, ""},
    {Opcode::vote, "vote", UnitClass::int_, OpClass::cross_lane, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::match, "match", UnitClass::int_, OpClass::cross_lane, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::activemask, "activemask", UnitClass::int_, OpClass::cross_lane, FloatUnit::same,
     LaneFamily::none, ""},
    {Opcode::redux, "redux", UnitClass::int_, OpClass::cross_lane, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::mma, "mma", UnitClass::matrix, OpClass::matrix_short, FloatUnit::same, LaneFamily::matrix, ""},
    {Opcode::movmatrix, "movmatrix", UnitClass::int_, OpClass::cross_lane, FloatUnit::same, LaneFamily::none,
     "w w"},
    {Opcode::ld, "ld", UnitClass::ldst, OpClass::memory, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::st, "st", UnitClass::ldst, OpClass::memory, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::atom, "atom", UnitClass::ldst, OpClass::memory, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::red, "red", UnitClass::ldst, OpClass::memory, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::membar, "membar", UnitClass::ldst, OpClass::memory, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::prefetch, "prefetch", UnitClass::ldst, OpClass::memory, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::copy, "cp.async", UnitClass::ldst, OpClass::memory, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::tex, "tex", UnitClass::ldst, OpClass::memory, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::bra, "bra", UnitClass::control, OpClass::control, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::bar, "bar", UnitClass::control, OpClass::control, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::bar_warp, "bar.warp", UnitClass::control, OpClass::control, FloatUnit::same, LaneFamily::none,
     ""},
    {Opcode::exit, "exit", UnitClass::control, OpClass::control, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::nanosleep, "nanosleep", UnitClass::control, OpClass::control, FloatUnit::same, LaneFamily::none,
     ""},
    {Opcode::commit, "cp.async.commit_group", UnitClass::control, OpClass::control, FloatUnit::same,
     LaneFamily::none, ""},
    {Opcode::wait_group, "cp.async.wait_group", UnitClass::control, OpClass::control, FloatUnit::same,
     LaneFamily::none, ""},
    {Opcode::trap, "trap", UnitClass::control, OpClass::control, FloatUnit::same, LaneFamily::none, ""},
    {Opcode::nop, "nop", UnitClass::control, OpClass::control, FloatUnit::same, LaneFamily::none, ""},
};
// clang-format on

constexpr bool is_in_order() {
  std::size_t at = 0;
  for (const OpcodeRow& row : kOpcodeTable)
    if (static_cast<std::size_t>(row.op) != at++) return false;
  return at == static_cast<std::size_t>(Opcode::count_);
}
static_assert(is_in_order(), "a row of the table for each operation, in the order of Opcode");

static inline const OpcodeRow& row_of(Opcode op) { return kOpcodeTable[static_cast<std::size_t>(op)]; }

}  // namespace heddle::isa
