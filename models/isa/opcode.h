#pragma once

// Operations of the simulated machine. These operations follow PTX, because Heddle executes PTX on architected
// registers instead of SASS (the machine code of NVIDIA GPUs).

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::isa {

enum class Opcode : std::uint8_t {
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
  set,
  setp,
  selp,
  slct,
  and_,
  or_,
  xor_,
  not_,
  cnot,
  lop3,
  shl,
  shr,
  shf,
  mov,
  pack,
  unpack,
  prmt,
  cvt,
  cvta,
  isspacep,
  shfl,
  vote,
  match,
  activemask,
  redux,
  mma,
  movmatrix,
  ld,
  st,
  atom,
  red,
  membar,
  prefetch,
  copy,
  tex,
  bra,
  bar,
  bar_warp,
  exit,
  nanosleep,
  commit,
  wait_group,
  trap,
  nop,
  count_
};

/// Kind of execution unit.
enum class UnitClass : std::uint8_t {
  int_,     ///< Integer arithmetic, logic, moves, votes and shuffles.
  fp,       ///< f32 and f64 arithmetic.
  sfu,      ///< Approximations of transcendental functions and reciprocals, and division sequences.
  ldst,     ///< Load/store unit: operations with a memory address.
  control,  ///< Branches, barriers and exits, which execute at issue and need no operand collector.
  matrix,   ///< Matrix products; the matrix elements lie in the lanes of a warp.
};
const char* name_of(UnitClass c);

/// Latency classes of operations: the rows of a configuration's latency table.
enum class OpClass : std::uint8_t {
  int_add,     ///< add, logic, shift, compare, select, move, min/max
  int_mul,     ///< mul, mad, sad, dp4a
  int_bit,     ///< popc, clz, bfind, brev, bfe, bfi, prmt, shf
  int_div,     ///< div, rem: a multi-instruction sequence in hardware
  convert,     ///< cvt between integer and floating point
  fp32,        ///< add, mul, fma, compare, min/max of f32
  fp64,        ///< add, mul, fma, compare, min/max of f64
  fp16,        ///< add, mul, fma, compare, min/max of f16 and bf16
  fp16x2,      ///< add, mul, fma, compare, min/max of pairs of f16 or bf16
  fp_div,      ///< IEEE division and square root of f32: a multi-instruction sequence in hardware
  fp64_div,    ///< IEEE division and square root of f64
  sfu,         ///< approximations of special functions
  cross_lane,  ///< vote, shuffle, match
  memory,      ///< ld, st, atom, red
  control,
  matrix_short,  ///< matrix products whose operand A has 1 or 2 words, such as f16 with k = 8
  matrix_long,   ///< matrix products whose operand A has 4 words, such as f16 with k = 16
  matrix_tf32,   ///< matrix products of tf32 with k = 4
  matrix_quad,   ///< matrix products m8n8k4 of f16: four groups of 8 lanes multiply separate matrices
  matrix_f64,
  count_
};
const char* name_of(OpClass c);

/// Finer division of a latency class, for GPUs on which the operations of one class have different latencies.
enum class OpTiming : std::uint8_t {
  own,           ///< the latency of the class
  simple,        ///< move, logic, shift, select, compare, integer conversion, abs, neg
  min_max,       ///< min, max of integers and f32
  multiply_add,  ///< mad, fma of integers and f32
  root,          ///< IEEE square root and reciprocal
  quotient,      ///< approximate division
  count_
};
/// timing_index(): position of an operation in a table of timings. kTimings: number of rows of such a table.
inline constexpr std::size_t kTimings =
    static_cast<std::size_t>(OpClass::count_) * static_cast<std::size_t>(OpTiming::count_);
constexpr std::size_t timing_index(OpClass c, OpTiming part) {
  return static_cast<std::size_t>(c) * static_cast<std::size_t>(OpTiming::count_) +
         static_cast<std::size_t>(part);
}
constexpr OpClass class_at(std::size_t timing) {
  return static_cast<OpClass>(timing / static_cast<std::size_t>(OpTiming::count_));
}
constexpr bool is_matrix(OpClass c) { return c >= OpClass::matrix_short && c <= OpClass::matrix_f64; }

const char* name_of(Opcode op);

/// Return the execution unit and the latency class of an operation on 32-bit integers. isa::classify() also
/// considers the data type.
UnitClass unit_of(Opcode op);
OpClass class_of(Opcode op);

}  // namespace heddle::isa
