// SPDX-License-Identifier: Apache-2.0
// Arithmetic with a stated rounding, conversions, bit patterns and PTX's approximations.
//
// Operations with a stated rounding are never contracted into fused operations. For this, clang needs
// -ffp-contract=on (not fast).
#pragma once

#include "base.h"

// Conversions are written as PTX, because LLVM confuses two roundings when it converts integers to floating point:
// toward 0 and to nearest. LLVM also leaves the result undefined for numbers that are too large for an integer.
#define HEDDLE_CC_CONVERT(name, type, constraint, from, from_constraint, instruction) \
  HEDDLE_CC_FUNCTION type name(from a) {                                              \
    type result;                                                                      \
    asm(instruction " %0, %1;" : "=" constraint(result) : from_constraint(a));        \
    return result;                                                                    \
  }
// Defines functions with one rounding. `suffix`: name of the rounding in the CUDA guide. `ptx`: its name in clang's PTX builtins.
#define HEDDLE_CC_ROUNDED(suffix, ptx)                                                                    \
  HEDDLE_CC_FUNCTION float __fadd_##suffix(float a, float b) { return __nvvm_add_##ptx##_f(a, b); }       \
  HEDDLE_CC_FUNCTION float __fsub_##suffix(float a, float b) { return __nvvm_add_##ptx##_f(a, -b); }      \
  HEDDLE_CC_FUNCTION float __fmul_##suffix(float a, float b) { return __nvvm_mul_##ptx##_f(a, b); }       \
  HEDDLE_CC_FUNCTION float __fmaf_##suffix(float a, float b, float c) {                                   \
    return __nvvm_fma_##ptx##_f(a, b, c);                                                                 \
  }                                                                                                       \
  HEDDLE_CC_FUNCTION float __fdiv_##suffix(float a, float b) { return __nvvm_div_##ptx##_f(a, b); }       \
  HEDDLE_CC_FUNCTION float __frcp_##suffix(float a) { return __nvvm_rcp_##ptx##_f(a); }                   \
  HEDDLE_CC_FUNCTION float __fsqrt_##suffix(float a) { return __nvvm_sqrt_##ptx##_f(a); }                 \
  HEDDLE_CC_FUNCTION double __dadd_##suffix(double a, double b) { return __nvvm_add_##ptx##_d(a, b); }    \
  HEDDLE_CC_FUNCTION double __dsub_##suffix(double a, double b) { return __nvvm_add_##ptx##_d(a, -b); }   \
  HEDDLE_CC_FUNCTION double __dmul_##suffix(double a, double b) { return __nvvm_mul_##ptx##_d(a, b); }    \
  HEDDLE_CC_FUNCTION double __fma_##suffix(double a, double b, double c) {                                \
    return __nvvm_fma_##ptx##_d(a, b, c);                                                                 \
  }                                                                                                       \
  HEDDLE_CC_FUNCTION double __ddiv_##suffix(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }    \
  HEDDLE_CC_FUNCTION double __drcp_##suffix(double a) { return __nvvm_rcp_##ptx##_d(a); }                 \
  HEDDLE_CC_FUNCTION double __dsqrt_##suffix(double a) { return __nvvm_sqrt_##ptx##_d(a); }               \
  HEDDLE_CC_FUNCTION float __double2float_##suffix(double a) { return __nvvm_d2f_##ptx(a); }              \
  HEDDLE_CC_CONVERT(__float2int_##suffix, int, "r", float, "f", "cvt." #ptx "i.s32.f32")                  \
  HEDDLE_CC_CONVERT(__float2uint_##suffix, unsigned, "r", float, "f", "cvt." #ptx "i.u32.f32")            \
  HEDDLE_CC_CONVERT(__float2ll_##suffix, long long, "l", float, "f", "cvt." #ptx "i.s64.f32")             \
  HEDDLE_CC_CONVERT(__float2ull_##suffix, unsigned long long, "l", float, "f", "cvt." #ptx "i.u64.f32")   \
  HEDDLE_CC_CONVERT(__double2int_##suffix, int, "r", double, "d", "cvt." #ptx "i.s32.f64")                \
  HEDDLE_CC_CONVERT(__double2uint_##suffix, unsigned, "r", double, "d", "cvt." #ptx "i.u32.f64")          \
  HEDDLE_CC_CONVERT(__double2ll_##suffix, long long, "l", double, "d", "cvt." #ptx "i.s64.f64")           \
  HEDDLE_CC_CONVERT(__double2ull_##suffix, unsigned long long, "l", double, "d", "cvt." #ptx "i.u64.f64") \
  HEDDLE_CC_CONVERT(__int2float_##suffix, float, "f", int, "r", "cvt." #ptx ".f32.s32")                   \
  HEDDLE_CC_CONVERT(__uint2float_##suffix, float, "f", unsigned, "r", "cvt." #ptx ".f32.u32")             \
  HEDDLE_CC_CONVERT(__ll2float_##suffix, float, "f", long long, "l", "cvt." #ptx ".f32.s64")              \
  HEDDLE_CC_CONVERT(__ull2float_##suffix, float, "f", unsigned long long, "l", "cvt." #ptx ".f32.u64")    \
  HEDDLE_CC_CONVERT(__ll2double_##suffix, double, "d", long long, "l", "cvt." #ptx ".f64.s64")            \
  HEDDLE_CC_CONVERT(__ull2double_##suffix, double, "d", unsigned long long, "l", "cvt." #ptx ".f64.u64")
HEDDLE_CC_ROUNDED(rn, rn)
HEDDLE_CC_ROUNDED(rz, rz)
HEDDLE_CC_ROUNDED(rd, rm)
HEDDLE_CC_ROUNDED(ru, rp)
#undef HEDDLE_CC_ROUNDED
#undef HEDDLE_CC_CONVERT
HEDDLE_CC_FUNCTION double __int2double_rn(int a) { return a; }
HEDDLE_CC_FUNCTION double __uint2double_rn(unsigned a) { return a; }

// Bit patterns.
HEDDLE_CC_FUNCTION int __float_as_int(float a) { return (int)heddle_cc::bits(a); }
HEDDLE_CC_FUNCTION unsigned __float_as_uint(float a) { return heddle_cc::bits(a); }
HEDDLE_CC_FUNCTION float __int_as_float(int a) { return heddle_cc::as_float((unsigned)a); }
HEDDLE_CC_FUNCTION float __uint_as_float(unsigned a) { return heddle_cc::as_float(a); }
HEDDLE_CC_FUNCTION long long __double_as_longlong(double a) { return (long long)heddle_cc::bits(a); }
HEDDLE_CC_FUNCTION double __longlong_as_double(long long a) {
  return heddle_cc::as_double((unsigned long long)a);
}
HEDDLE_CC_FUNCTION int __double2hiint(double a) { return (int)(heddle_cc::bits(a) >> 32); }
HEDDLE_CC_FUNCTION int __double2loint(double a) { return (int)heddle_cc::bits(a); }
HEDDLE_CC_FUNCTION double __hiloint2double(int high, int low) {
  return heddle_cc::as_double((unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

// Approximate functions, which the special function unit computes.
HEDDLE_CC_FUNCTION float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
HEDDLE_CC_FUNCTION float fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
HEDDLE_CC_FUNCTION float __saturatef(float a) { return __nvvm_saturate_f(a); }
HEDDLE_CC_FUNCTION float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269502f); }
HEDDLE_CC_FUNCTION float __exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.32192802f); }
HEDDLE_CC_FUNCTION float __log2f(float a) { return __nvvm_lg2_approx_f(a); }
HEDDLE_CC_FUNCTION float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0.693147182f; }
HEDDLE_CC_FUNCTION float __log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.30103001f; }
HEDDLE_CC_FUNCTION float __powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }
HEDDLE_CC_FUNCTION float __sinf(float a) { return __nvvm_sin_approx_f(a); }
HEDDLE_CC_FUNCTION float __cosf(float a) { return __nvvm_cos_approx_f(a); }
HEDDLE_CC_FUNCTION float __tanf(float a) { return __fdividef(__sinf(a), __cosf(a)); }
HEDDLE_CC_FUNCTION void __sincosf(float a, float* sine, float* cosine) {
  *sine = __sinf(a);
  *cosine = __cosf(a);
}
HEDDLE_CC_FUNCTION float __tanhf(float a) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
}
/// Returns the correctly rounded result, unlike rsqrt.approx.
HEDDLE_CC_FUNCTION float __frsqrt_rn(float a) { return (float)(1 / __builtin_sqrt((double)a)); }
