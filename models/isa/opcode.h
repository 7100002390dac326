#pragma once

// Operations of the simulated machine. They follow PTX closely, because Heddle executes PTX on architected
// registers instead of SASS (the machine code of NVIDIA GPUs).

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::isa {

enum class Opcode : std::uint8_t {
  // Opcodes of integer arithmetic; several of them also exist for floating-point types.
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
  // Opcodes of floating-point operations that share no mnemonic with an integer operation.
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
  // Opcodes of comparison and selection.
  set,
  setp,
  selp,
  slct,
  // Opcodes of logic (also on predicates) and shifts.
  and_,
  or_,
  xor_,
  not_,
  cnot,
  lop3,
  shl,
  shr,
  shf,
  // Opcodes of data movement and conversion.
  mov,
  pack,
  unpack,
  prmt,
  cvt,
  cvta,
  isspacep,
  // Opcodes of operations that read values of other lanes.
  shfl,
  vote,
  match,
  activemask,
  redux,
  // Opcodes of memory accesses.
  ld,
  st,
  atom,
  red,
  membar,
  prefetch,
  tex,
  // Opcodes of control: branches, barriers, exits.
  bra,
  bar,
  bar_warp,
  exit,
  nanosleep,
  trap,
  nop,
  count_
};

/// Kind of execution unit. Each kind has its own latencies (exec/unit_parameters.h).
enum class UnitClass : std::uint8_t {
  int_,  ///< unit for integer arithmetic, logic, moves, votes and shuffles
  fp,    ///< unit for f32 and f64 arithmetic
  sfu,   ///< unit for approximations of transcendental functions and reciprocals, and for division sequences
  ldst,  ///< load/store unit: operations with a memory address
  control,  ///< branches, barriers and exits, which execute at issue and need no operand collector
};
const char* name_of(UnitClass c);

/// Latency classes of operations, which are the rows of a preset's latency table.
enum class OpClass : std::uint8_t {
  int_add,  ///< latency class of add, logic, shift, compare, select, move, min/max
  int_mul,  ///< latency class of mul, mad, sad, dp4a
  int_bit,  ///< latency class of popc, clz, bfind, brev, bfe, bfi, prmt, shf
  int_div,  ///< latency class of div, rem: a multi-instruction sequence in hardware
  convert,  ///< latency class of cvt between integer and floating point
  fp32,     ///< latency class of add, mul, fma, compare, min/max of f32
  fp64,     ///< latency class of add, mul, fma, compare, min/max of f64
  fp16,     ///< latency class of add, mul, fma, compare, min/max of f16 and bf16
  fp16x2,   ///< latency class of add, mul, fma, compare, min/max of pairs of f16 or bf16
  fp_div,  ///< latency class of IEEE division and square root of f32: a multi-instruction sequence in hardware
  fp64_div,    ///< latency class of IEEE division and square root of f64
  sfu,         ///< latency class of approximations of special functions
  cross_lane,  ///< latency class of vote, shuffle, match
  memory,      ///< latency class of ld, st, atom, red
  control,
  count_
};
const char* name_of(OpClass c);

const char* name_of(Opcode op);

/// Returns the unit (or latency class) of the operation's 32-bit integer form. For a complete instruction,
/// isa::classify() also considers the data type.
UnitClass unit_of(Opcode op);
OpClass class_of(Opcode op);

}  // namespace heddle::isa
