#pragma once

// Two sets of lane functions, compiled from the same sources: one for all hosts, and one for x86-64 hosts with AVX2
// and FMA. Both sets give the same bits for every input (tests/isa/lane_sets_test.cpp). The first call of
// find_lane_function selects the set.
//
// clang-format off
// Results that PTX leaves open:
//   NaN results       f32 7fffffff, f64 7ff8000000000000, f16 and bf16 7fff. mov, selp, slct and copysign copy the bits of a NaN;
//                     abs and neg of f64 keep them and set the quiet bit.
//   .ftz              a subnormal operand or result becomes a zero of the same sign. A result is subnormal if it is below the least
//                     normal number when rounded to the precision of normal numbers.
//   .sat (float)      NaN and -0 give +0.
//   .relu             -0 gives +0. Unlike with .sat, NaN stays NaN.
//   min, max          if one operand is NaN, the result is the other one (with .NaN: NaN). -0 < +0.
//   division by 0     integer div and rem give all ones, as NVIDIA's division sequences do. The most negative
//                     number / -1 wraps around; its rem is 0.
//   float to integer  clamps to the destination's range. NaN gives 0, or only the top bit set if f64 or a 64-bit
//                     integer takes part (PTX ISA, cvt). Without a rounding modifier, rounds towards zero.
//   sub.cc, subc      the condition code is set if there is no borrow.
//   bmsk, szext       bits past bit 31 are dropped.
//   fns               a base of 32 or more gives "not found".
//   shfl              if the source lane is out of range, inactive, or outside the member mask, the lane gets its own
//                     value. The predicate is 0 only if the source lane is out of range.
//   .sync operations  each lane works with the active lanes of its own member mask. Groups with different masks may
//                     execute one instruction together.
//   atomics on floats keep subnormals in every space (apply_atomic).
//
// Approximations are computed in f64 with Heddle's own polynomials and rounded once, so all hosts give the same bits:
//   div.approx        the IEEE quotient. For 2^126 < |b| < infinity a zero of the same sign, and NaN if a is infinite, as in PTX.
//   div.full, rcp.approx, sqrt.approx   the correctly rounded result (PTX: 2 ulp, 1 ulp, 2^-23 relative).
//   rsqrt             error below 0.51 ulp in f32 and in f64 (PTX: 2^-22.9 relative for f32).
//   sin, cos          error below 0.51 ulp for every finite argument (PTX: 2^-20.5 absolute in [-pi, pi]).
//   lg2, ex2, tanh    error below 0.51 ulp (PTX: 2^-22; 2 ulp; 2^-11 relative).
//   ex2, tanh of f16 and bf16    error below 0.501 ulp of the format.
//   rcp, rsqrt .approx.ftz.f64   operand truncated to its upper 32 bits, result rounded to 32 bits, low word 0.
// clang-format on

#include "models/isa/lane_operands.h"
#include "models/isa/rows.h"

namespace heddle::isa::lanes {

enum class LaneSet { baseline, avx2 };

bool host_supports(LaneSet set);

/// Like find_lane_function(), for the lane functions compiled for the host instructions of `set`. Only for
/// tests and benchmarks.
LaneFunction find_lane_function_in(LaneSet set, const Instruction& instruction);

/// Returns the same functions as kRows (functions on the words of all lanes), but compiled for the host
/// instructions of `set`. The host must support this set. Only for tests.
const RowOperations& row_operations_in(LaneSet set);

}  // namespace heddle::isa::lanes
