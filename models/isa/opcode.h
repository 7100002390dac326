#pragma once

// Operations of the machine. The operations follow PTX closely, because Heddle executes PTX on architected
// registers instead of SASS.

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::isa {

enum class Opcode : std::uint8_t {
  // integer arithmetic
  add,
  sub,
  mul,
  mad,
  mul24,
  mad24,
  sad,
  div,
  rem,
  abs,
  neg,
  min,
  max,
  popc,
  clz,
  bfind,
  fns,
  brev,
  bfe,
  bfi,
  bmsk,
  szext,
  dp4a,
  dp2a,
  vabsdiff4,
  // floating-point operations that share no mnemonic with the integer ones
  fma,
  rcp,
  sqrt,
  rsqrt,
  sin,
  cos,
  lg2,
  ex2,
  tanh,
  testp,
  copysign,
  // comparison and selection
  set,
  setp,
  selp,
  slct,
  // logic and shifts (also on predicates)
  and_,
  or_,
  xor_,
  not_,
  cnot,
  lop3,
  shl,
  shr,
  shf,
  // data movement and conversion
  mov,
  pack,
  unpack,
  prmt,
  cvt,
  cvta,
  isspacep,
  // across lanes
  shfl,
  vote,
  match,
  activemask,
  redux,
  // memory
  ld,
  st,
  atom,
  red,
  membar,
  prefetch,
  tex,
  // control
  bra,
  bar,
  bar_warp,
  exit,
  nanosleep,
  trap,
  nop,
  count_
};

/// Kind of unit that executes an operation. Each kind has its own latencies (exec/unit_parameters.h).
enum class UnitClass : std::uint8_t {
  int_,     ///< integer, logic, moves, votes, shuffles
  fp,       ///< f32 and f64 arithmetic
  sfu,      ///< approximations of transcendental functions and reciprocals, division sequences
  ldst,     ///< operations with an address
  control,  ///< branches, barriers and exits: executed at issue, without an operand collector
};
const char* name_of(UnitClass c);

/// Latency classes: rows of a preset's latency table.
enum class OpClass : std::uint8_t {
  int_add,     ///< add, logic, shift, compare, select, move, min/max
  int_mul,     ///< mul, mad, sad, dp4a
  int_bit,     ///< popc, clz, bfind, brev, bfe, bfi, prmt, shf
  int_div,     ///< div, rem: a multi-instruction sequence in hardware
  convert,     ///< cvt between integer and floating point
  fp32,        ///< add, mul, fma, compare, min/max of f32
  fp64,        ///< as fp32, for f64
  fp16,        ///< as fp32, for f16 and bf16
  fp16x2,      ///< as fp32, for pairs of f16 or bf16
  fp_div,      ///< IEEE division and square root of f32: a multi-instruction sequence in hardware
  fp64_div,    ///< as fp_div, for f64
  sfu,         ///< approximations of special functions
  cross_lane,  ///< vote, shuffle, match
  memory,      ///< ld, st, atom, red
  control,
  count_
};
const char* name_of(OpClass c);

const char* name_of(Opcode op);

/// Returns the unit and class of the 32-bit integer form. isa::classify gives those of an instruction, which
/// also depend on its type.
UnitClass unit_of(Opcode op);
OpClass class_of(Opcode op);

}  // namespace heddle::isa
