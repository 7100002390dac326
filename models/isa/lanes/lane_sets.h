#pragma once

// Lane arithmetic exists twice, from the same sources: for any host, and for x86-64 hosts with AVX2 and FMA. Both
// give the same bits for every input (tests/isa/lane_sets_test.cpp); the choice is made once, at the first call of
// find_lane_function.
//
// clang-format off
// Where PTX leaves a result open, this is what Heddle does:
//   NaN results       f32 7fffffff, f64 7ff8000000000000, f16 and bf16 7fff from every operation that computes or converts; abs, neg,
//                     copysign, mov, selp and slct only move bits.
//   .ftz              a subnormal operand or result becomes zero of its sign; what counts is the result rounded to as many bits as
//                     normal numbers have.
//   .sat (float)      NaN and -0 give +0.
//   .relu             -0 gives +0; a NaN stays one (not so with .sat).
//   min, max          a NaN loses against a number (not so with .NaN); -0 < +0.
//   division by 0     integer div and rem give all ones, as NVIDIA's division sequences do; the most negative
//                     number / -1 wraps, its rem is 0.
//   float to integer  clamps to the destination's range; NaN gives 0, but the top bit alone where f64 or a 64-bit
//                     integer takes part (PTX ISA, cvt); without a rounding modifier towards zero.
//   sub.cc, subc      the condition code is the borrow.
//   bmsk, szext       a mask that reaches past bit 31 is cut.
//   fns               base 32 and more: not found.
//   shfl              a source lane that is out of range, inactive, or outside the member mask: own value
//                     (predicate 0 only for out of range).
//   .sync operations  each lane sees the active lanes of its own member mask, so groups with different masks may
//                     execute one instruction together.
//   atomics on floats keep subnormals in every space (apply_atomic).
//
// Approximations are computed in f64 with polynomials of our own, then rounded once, so the same on every host:
//   div.approx        the IEEE quotient; for 2^126 < |b| < infinity zero of its sign, NaN for infinite a, as PTX says.
//   div.full, rcp.approx, sqrt.approx   the correctly rounded result (PTX: 2 ulp, 1 ulp, 2^-23 relative).
//   rsqrt             below 0.51 ulp in f32 and in f64 (PTX: 2^-22.9 relative for f32).
//   sin, cos          below 0.51 ulp for every finite argument (PTX: 2^-20.5 absolute in [-pi, pi]).
//   lg2, ex2, tanh    below 0.51 ulp (PTX: 2^-22; 2 ulp; 2^-11 relative).
//   ex2, tanh of halves   below 0.501 ulp of their format.
//   rcp, rsqrt .approx.ftz.f64   operand cut to its upper 32 bits, result rounded to them, low word 0.
// clang-format on

#include "models/isa/lane_operands.h"

namespace heddle::isa::lanes {

enum class LaneSet { baseline, avx2 };

/// True if this host can execute the set.
bool host_supports(LaneSet set);

/// As find_lane_function, from the given set. Only for tests and benchmarks.
LaneFunction find_lane_function_in(LaneSet set, const Instruction& instruction);

}  // namespace heddle::isa::lanes
