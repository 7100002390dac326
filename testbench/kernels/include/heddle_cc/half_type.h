// SPDX-License-Identifier: Apache-2.0
// Common parts of __half and __nv_bfloat16, made of macros: type, arithmetic, comparisons, pairs,
// mathematics, atomics and shuffles. An operation that PTX has is one instruction. Other operations are
// computed in float and rounded once. This gives the correctly rounded quotient or root, because float has 24
// digits: at least 2 n + 2, where n is 11 (half) or 8 (bfloat16).
//
// Included by cuda_fp16.h and cuda_bf16.h with
//   HEDDLE_CC_H, HEDDLE_CC_H2   the types
//   HEDDLE_CC_PTX               "f16" or "bf16"
//   HEDDLE_CC_SATURATES         1 if PTX has .sat for the type
//   HEDDLE_CC_NAME(a, b)        a##half##b or a##bfloat16##b
//   HEDDLE_CC_DIGITS            11 or 8
#ifndef HEDDLE_CC_H
#error "include cuda_fp16.h or cuda_bf16.h"
#endif

#include "half_host.h"

// Expands to `device` in code for the device, and to `host` in code for the host.
#ifndef HEDDLE_CC_ON
#ifdef __CUDA_ARCH__
#define HEDDLE_CC_ON(device, host) device
#else
#define HEDDLE_CC_ON(device, host) host
#endif
#endif
#define HEDDLE_CC_HOST heddle_cc::HostHalf<HEDDLE_CC_DIGITS>

struct __align__(2) HEDDLE_CC_H {
  unsigned short x;

  HEDDLE_CC_H() = default;
  __host__ __device__ constexpr HEDDLE_CC_H(HEDDLE_CC_RAW raw) : x(raw.x) {}
#define HEDDLE_CC_FROM(type, ptx, constraint)                   \
  __host__ __device__ HEDDLE_CC_H(type v) {                     \
    HEDDLE_CC_ON(asm("cvt.rn." HEDDLE_CC_PTX "." ptx " %0, %1;" \
                     : "=h"(x)                                  \
                     : constraint(v)),                          \
                 x = HEDDLE_CC_HOST::narrow(v));                \
  }
  HEDDLE_CC_FROM(float, "f32", "f")
  HEDDLE_CC_FROM(double, "f64", "d")
  HEDDLE_CC_FROM(short, "s16", "h")
  HEDDLE_CC_FROM(unsigned short, "u16", "h")
  HEDDLE_CC_FROM(int, "s32", "r")
  HEDDLE_CC_FROM(unsigned, "u32", "r")
  HEDDLE_CC_FROM(long long, "s64", "l")
  HEDDLE_CC_FROM(unsigned long long, "u64", "l")
  __host__ __device__ HEDDLE_CC_H(long v) : HEDDLE_CC_H((long long)v) {}
  __host__ __device__ HEDDLE_CC_H(unsigned long v) : HEDDLE_CC_H((unsigned long long)v) {}
#undef HEDDLE_CC_FROM
  __host__ __device__ operator float() const {
    float value;
    HEDDLE_CC_ON(asm("cvt.f32." HEDDLE_CC_PTX " %0, %1;"
                     : "=f"(value)
                     : "h"(x)),
                 value = HEDDLE_CC_HOST::value(x));
    return value;
  }
  __host__ __device__ operator HEDDLE_CC_RAW() const { return {x}; }
  __host__ __device__ explicit operator bool() const { return (x & 0x7fff) != 0; }
#define HEDDLE_CC_INTO(type) \
  __host__ __device__ explicit operator type() const { return (type)(float)*this; }
  HEDDLE_CC_INTO(int)
  HEDDLE_CC_INTO(unsigned)
  HEDDLE_CC_INTO(short)
  HEDDLE_CC_INTO(unsigned short)
  HEDDLE_CC_INTO(long long)
  HEDDLE_CC_INTO(unsigned long long)
#undef HEDDLE_CC_INTO
  template <class T>
  __host__ __device__ HEDDLE_CC_H& operator=(T v) {
    x = HEDDLE_CC_H(v).x;
    return *this;
  }
};

struct __align__(4) HEDDLE_CC_H2 {
  HEDDLE_CC_H x, y;
  HEDDLE_CC_H2() = default;
  __host__ __device__ HEDDLE_CC_H2(HEDDLE_CC_H a, HEDDLE_CC_H b) : x(a), y(b) {}
  __host__ __device__ HEDDLE_CC_H2(HEDDLE_CC_RAW2 raw) : x(HEDDLE_CC_RAW{raw.x}), y(HEDDLE_CC_RAW{raw.y}) {}
  __host__ __device__ operator HEDDLE_CC_RAW2() const { return {x.x, y.x}; }
};
namespace heddle_cc {
/// Convert a pair to the 32-bit register that PTX uses, and back.
HEDDLE_CC_BOTH unsigned packed(HEDDLE_CC_H2 v) { return v.x.x | (unsigned)v.y.x << 16; }
HEDDLE_CC_BOTH void unpack(HEDDLE_CC_H2& v, unsigned word) {
  v.x.x = (unsigned short)word;
  v.y.x = (unsigned short)(word >> 16);
}
}  // namespace heddle_cc

#define HEDDLE_CC_OF(value) HEDDLE_CC_H(value)
HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(__float2, _rn)(float v) { return HEDDLE_CC_H(v); }
HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(__float2, )(float v) { return HEDDLE_CC_H(v); }
HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(__double2, )(double v) { return HEDDLE_CC_H(v); }
HEDDLE_CC_BOTH float HEDDLE_CC_NAME(__, 2float)(HEDDLE_CC_H v) { return v; }
// Conversions from and to integers, in every rounding mode. Results of narrow integer types are clamped.
#define HEDDLE_CC_MADE(from, suffix, type, ptx, constraint, mode, host_mode)            \
  HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(from, suffix)(type v) {                     \
    HEDDLE_CC_RAW result;                                                               \
    HEDDLE_CC_ON(asm("cvt." mode "." HEDDLE_CC_PTX "." ptx " %0, %1;"                   \
                     : "=h"(result.x)                                                   \
                     : constraint(v)),                                                  \
                 result.x = HEDDLE_CC_HOST::narrow(v, heddle_cc::Rounding::host_mode)); \
    return result;                                                                      \
  }
#define HEDDLE_CC_WHOLE(to, suffix, type, ptx, constraint, mode)                            \
  HEDDLE_CC_FUNCTION type HEDDLE_CC_NAME(__, to##suffix)(HEDDLE_CC_H v) {                   \
    type result;                                                                            \
    asm("cvt." mode "i." ptx "." HEDDLE_CC_PTX " %0, %1;" : constraint(result) : "h"(v.x)); \
    return result;                                                                          \
  }
#define HEDDLE_CC_ROUNDED(suffix, mode, host_mode)                                \
  HEDDLE_CC_MADE(__int2, suffix, int, "s32", "r", mode, host_mode)                \
  HEDDLE_CC_MADE(__uint2, suffix, unsigned, "u32", "r", mode, host_mode)          \
  HEDDLE_CC_MADE(__short2, suffix, short, "s16", "h", mode, host_mode)            \
  HEDDLE_CC_MADE(__ushort2, suffix, unsigned short, "u16", "h", mode, host_mode)  \
  HEDDLE_CC_MADE(__ll2, suffix, long long, "s64", "l", mode, host_mode)           \
  HEDDLE_CC_MADE(__ull2, suffix, unsigned long long, "u64", "l", mode, host_mode) \
  HEDDLE_CC_WHOLE(2int, suffix, int, "s32", "=r", mode)                           \
  HEDDLE_CC_WHOLE(2uint, suffix, unsigned, "u32", "=r", mode)                     \
  HEDDLE_CC_WHOLE(2short, suffix, short, "s16", "=h", mode)                       \
  HEDDLE_CC_WHOLE(2ushort, suffix, unsigned short, "u16", "=h", mode)             \
  HEDDLE_CC_WHOLE(2ll, suffix, long long, "s64", "=l", mode)                      \
  HEDDLE_CC_WHOLE(2ull, suffix, unsigned long long, "u64", "=l", mode)
HEDDLE_CC_ROUNDED(_rn, "rn", nearest)
HEDDLE_CC_ROUNDED(_rz, "rz", zero)
HEDDLE_CC_ROUNDED(_rd, "rm", down)
HEDDLE_CC_ROUNDED(_ru, "rp", up)
HEDDLE_CC_MADE(__float2, _rz, float, "f32", "f", "rz", zero)
HEDDLE_CC_MADE(__float2, _rd, float, "f32", "f", "rm", down)
HEDDLE_CC_MADE(__float2, _ru, float, "f32", "f", "rp", up)
#undef HEDDLE_CC_ROUNDED
#undef HEDDLE_CC_WHOLE
#undef HEDDLE_CC_MADE
HEDDLE_CC_FUNCTION signed char HEDDLE_CC_NAME(__, 2char_rz)(HEDDLE_CC_H v) {
  return (signed char)min(max(__float2int_rz(v), -128), 127);
}
HEDDLE_CC_FUNCTION unsigned char HEDDLE_CC_NAME(__, 2uchar_rz)(HEDDLE_CC_H v) {
  return (unsigned char)min(__float2uint_rz(v), 255u);
}
HEDDLE_CC_BOTH unsigned short HEDDLE_CC_NAME(__, _as_ushort)(HEDDLE_CC_H v) { return v.x; }
HEDDLE_CC_BOTH short HEDDLE_CC_NAME(__, _as_short)(HEDDLE_CC_H v) { return (short)v.x; }
HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(__ushort_as_, )(unsigned short v) { return HEDDLE_CC_RAW{v}; }
HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(__short_as_, )(short v) { return HEDDLE_CC_RAW{(unsigned short)v}; }

// Arithmetic: each macro defines a function of the CUDA guide. `expression` uses the operands as floats a, b and c.
#define HEDDLE_CC_1(name, expression)                  \
  HEDDLE_CC_FUNCTION HEDDLE_CC_H name(HEDDLE_CC_H x) { \
    const float a = x;                                 \
    return HEDDLE_CC_OF(expression);                   \
  }
#define HEDDLE_CC_2(name, expression)                             \
  HEDDLE_CC_BOTH HEDDLE_CC_H name(HEDDLE_CC_H x, HEDDLE_CC_H y) { \
    const float a = x, b = y;                                     \
    return HEDDLE_CC_OF(expression);                              \
  }
// Each macro defines a function of single values (`name`) and one of pairs (`pair`). The device uses a PTX instruction.
// On the host, BY_2 evaluates an expression of the floats a and b, BY_3 converts the bits of a fused multiply-add.
#define HEDDLE_CC_BY_2(name, pair, operation, host)                                            \
  HEDDLE_CC_BOTH HEDDLE_CC_H name(HEDDLE_CC_H x, HEDDLE_CC_H y) {                              \
    HEDDLE_CC_RAW result;                                                                      \
    HEDDLE_CC_ON(asm(operation "." HEDDLE_CC_PTX " %0, %1, %2;"                                \
                     : "=h"(result.x)                                                          \
                     : "h"(x.x), "h"(y.x)),                                                    \
                 const float a = x;                                                            \
                 const float b = y; result.x = HEDDLE_CC_HOST::narrow(host));                  \
    return result;                                                                             \
  }                                                                                            \
  HEDDLE_CC_BOTH HEDDLE_CC_H2 pair(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {                           \
    HEDDLE_CC_ON(unsigned result; asm(operation "." HEDDLE_CC_PTX "x2 %0, %1, %2;"             \
                                      : "=r"(result)                                           \
                                      : "r"(heddle_cc::packed(v)), "r"(heddle_cc::packed(w))); \
                 heddle_cc::unpack(v, result), v.x = name(v.x, w.x); v.y = name(v.y, w.y));    \
    return v;                                                                                  \
  }
#define HEDDLE_CC_BY_3(name, pair, operation, host)                                                      \
  HEDDLE_CC_BOTH HEDDLE_CC_H name(HEDDLE_CC_H x, HEDDLE_CC_H y, HEDDLE_CC_H z) {                         \
    HEDDLE_CC_RAW result;                                                                                \
    HEDDLE_CC_ON(asm(operation "." HEDDLE_CC_PTX " %0, %1, %2, %3;"                                      \
                     : "=h"(result.x)                                                                    \
                     : "h"(x.x), "h"(y.x), "h"(z.x)),                                                    \
                 result.x = HEDDLE_CC_HOST::host(HEDDLE_CC_HOST::fused(x, y, z)));                       \
    return result;                                                                                       \
  }                                                                                                      \
  HEDDLE_CC_BOTH HEDDLE_CC_H2 pair(HEDDLE_CC_H2 u, HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {                     \
    HEDDLE_CC_ON(unsigned result;                                                                        \
                 asm(operation "." HEDDLE_CC_PTX "x2 %0, %1, %2, %3;"                                    \
                     : "=r"(result)                                                                      \
                     : "r"(heddle_cc::packed(u)), "r"(heddle_cc::packed(v)), "r"(heddle_cc::packed(w))); \
                 heddle_cc::unpack(u, result), u.x = name(u.x, v.x, w.x); u.y = name(u.y, v.y, w.y));    \
    return u;                                                                                            \
  }
#define HEDDLE_CC_PAIR_1(name) \
  HEDDLE_CC_BOTH HEDDLE_CC_H2 name##2(HEDDLE_CC_H2 v) { return {name(v.x), name(v.y)}; }
// Comparisons of two numbers or of two pairs. Results for pairs: 0 or 1 per number, a mask per number, or one bool.
#define HEDDLE_CC_COMPARE(name, host)                                                                      \
  HEDDLE_CC_BOTH bool __h##name(HEDDLE_CC_H x, HEDDLE_CC_H y) {                                            \
    HEDDLE_CC_ON(unsigned result;                                                                          \
                 asm("{ .reg .pred p; setp." #name "." HEDDLE_CC_PTX " p, %1, %2; selp.u32 %0, 1, 0, p; }" \
                     : "=r"(result)                                                                        \
                     : "h"(x.x), "h"(y.x));                                                                \
                 return result != 0, const float a = x; const float b = y; return host);                   \
  }                                                                                                        \
  HEDDLE_CC_BOTH HEDDLE_CC_H2 __h##name##2(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {                               \
    HEDDLE_CC_ON(unsigned result; asm("set." #name "." HEDDLE_CC_PTX "x2." HEDDLE_CC_PTX "x2 %0, %1, %2;"  \
                                      : "=r"(result)                                                       \
                                      : "r"(heddle_cc::packed(v)), "r"(heddle_cc::packed(w)));             \
                 heddle_cc::unpack(v, result), v.x = (int)__h##name(v.x, w.x);                             \
                 v.y = (int)__h##name(v.y, w.y));                                                          \
    return v;                                                                                              \
  }                                                                                                        \
  HEDDLE_CC_BOTH unsigned __h##name##2_mask(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {                              \
    unsigned result;                                                                                       \
    HEDDLE_CC_ON(asm("set." #name ".u32." HEDDLE_CC_PTX "x2 %0, %1, %2;"                                   \
                     : "=r"(result)                                                                        \
                     : "r"(heddle_cc::packed(v)), "r"(heddle_cc::packed(w))),                              \
                 result = (__h##name(v.x, w.x) ? 0xffffu : 0) | (__h##name(v.y, w.y) ? 0xffff0000u : 0));  \
    return result;                                                                                         \
  }                                                                                                        \
  HEDDLE_CC_BOTH bool __hb##name##2(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { return __h##name##2_mask(v, w) == ~0u; }
HEDDLE_CC_BY_2(__hadd, __hadd2, "add", (long double)a + b)
HEDDLE_CC_BY_2(__hsub, __hsub2, "sub", (long double)a - b)
HEDDLE_CC_BY_2(__hmul, __hmul2, "mul", (long double)a* b)
HEDDLE_CC_BY_2(__hadd_rn, __hadd2_rn, "add.rn", (long double)a + b)
HEDDLE_CC_BY_2(__hsub_rn, __hsub2_rn, "sub.rn", (long double)a - b)
HEDDLE_CC_BY_2(__hmul_rn, __hmul2_rn, "mul.rn", (long double)a* b)
HEDDLE_CC_BY_2(__hmin, __hmin2, "min", heddle_cc::smaller(a, b))
HEDDLE_CC_BY_2(__hmax, __hmax2, "max", heddle_cc::larger(a, b))
HEDDLE_CC_BY_2(__hmin_nan, __hmin2_nan, "min.NaN",
               a != a || b != b ? __builtin_nanf("") : heddle_cc::smaller(a, b))
HEDDLE_CC_BY_2(__hmax_nan, __hmax2_nan, "max.NaN",
               a != a || b != b ? __builtin_nanf("") : heddle_cc::larger(a, b))
HEDDLE_CC_BY_3(__hfma, __hfma2, "fma.rn", plain)
HEDDLE_CC_BY_3(__hfma_relu, __hfma2_relu, "fma.rn.relu", clear_below_0)
HEDDLE_CC_2(__hdiv, a / b)
HEDDLE_CC_BOTH HEDDLE_CC_H2 __h2div(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {
  return {__hdiv(v.x, w.x), __hdiv(v.y, w.y)};
}
#if HEDDLE_CC_SATURATES
HEDDLE_CC_BY_2(__hadd_sat, __hadd2_sat, "add.sat", heddle_cc::between_0_and_1((long double)a + b))
HEDDLE_CC_BY_2(__hsub_sat, __hsub2_sat, "sub.sat", heddle_cc::between_0_and_1((long double)a - b))
HEDDLE_CC_BY_2(__hmul_sat, __hmul2_sat, "mul.sat", heddle_cc::between_0_and_1((long double)a* b))
HEDDLE_CC_BY_3(__hfma_sat, __hfma2_sat, "fma.rn.sat", saturated)
#else
namespace heddle_cc {
HEDDLE_CC_BOTH HEDDLE_CC_H clamped(HEDDLE_CC_H v) {
  return __hmin(__hmax(v, HEDDLE_CC_H(0.0f)), HEDDLE_CC_H(1.0f));
}
HEDDLE_CC_BOTH HEDDLE_CC_H2 clamped(HEDDLE_CC_H2 v) { return {clamped(v.x), clamped(v.y)}; }
}  // namespace heddle_cc
#define HEDDLE_CC_CLAMPED_2(name)                                           \
  HEDDLE_CC_BOTH HEDDLE_CC_H name##_sat(HEDDLE_CC_H x, HEDDLE_CC_H y) {     \
    return heddle_cc::clamped(name(x, y));                                  \
  }                                                                         \
  HEDDLE_CC_BOTH HEDDLE_CC_H2 name##2_sat(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { \
    return heddle_cc::clamped(name##2(v, w));                               \
  }
HEDDLE_CC_CLAMPED_2(__hadd)
HEDDLE_CC_CLAMPED_2(__hsub)
HEDDLE_CC_CLAMPED_2(__hmul)
#undef HEDDLE_CC_CLAMPED_2
HEDDLE_CC_BOTH HEDDLE_CC_H __hfma_sat(HEDDLE_CC_H x, HEDDLE_CC_H y, HEDDLE_CC_H z) {
  return heddle_cc::clamped(__hfma(x, y, z));
}
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hfma2_sat(HEDDLE_CC_H2 u, HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {
  return heddle_cc::clamped(__hfma2(u, v, w));
}
#endif
/// Returns u * v + w for complex numbers, as four fused operations.
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hcmadd(HEDDLE_CC_H2 u, HEDDLE_CC_H2 v, HEDDLE_CC_H2 w);
HEDDLE_CC_BOTH HEDDLE_CC_H __hneg(HEDDLE_CC_H v) { return HEDDLE_CC_RAW{(unsigned short)(v.x ^ 0x8000)}; }
HEDDLE_CC_BOTH HEDDLE_CC_H __habs(HEDDLE_CC_H v) { return HEDDLE_CC_RAW{(unsigned short)(v.x & 0x7fff)}; }
HEDDLE_CC_PAIR_1(__hneg)
HEDDLE_CC_PAIR_1(__habs)
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hcmadd(HEDDLE_CC_H2 u, HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {
  return {__hfma(__hneg(u.y), v.y, __hfma(u.x, v.x, w.x)), __hfma(u.y, v.x, __hfma(u.x, v.y, w.y))};
}
HEDDLE_CC_COMPARE(eq, a == b)
HEDDLE_CC_COMPARE(equ, !(a < b || a > b))
HEDDLE_CC_COMPARE(ne, (a < b || a > b))
HEDDLE_CC_COMPARE(neu, a != b)
HEDDLE_CC_COMPARE(lt, a < b)
HEDDLE_CC_COMPARE(ltu, !(a >= b))
HEDDLE_CC_COMPARE(le, a <= b)
HEDDLE_CC_COMPARE(leu, !(a > b))
HEDDLE_CC_COMPARE(gt, a > b)
HEDDLE_CC_COMPARE(gtu, !(a <= b))
HEDDLE_CC_COMPARE(ge, a >= b)
HEDDLE_CC_COMPARE(geu, !(a < b))
HEDDLE_CC_BOTH bool __hisnan(HEDDLE_CC_H v) { return (float)v != (float)v; }
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hisnan2(HEDDLE_CC_H2 v) {
  return {HEDDLE_CC_OF(__hisnan(v.x) ? 1.0f : 0.0f), HEDDLE_CC_OF(__hisnan(v.y) ? 1.0f : 0.0f)};
}
HEDDLE_CC_BOTH int __hisinf(HEDDLE_CC_H v) {
  const float a = v;
  return a == __builtin_inff() ? 1 : a == -__builtin_inff() ? -1 : 0;
}

HEDDLE_CC_1(hsqrt, sqrtf(a))
HEDDLE_CC_1(hrsqrt, 1 / sqrtf(a))
HEDDLE_CC_1(hrcp, 1 / a)
HEDDLE_CC_1(hexp, ::expf(a))
HEDDLE_CC_1(hexp2, exp2f(a))
HEDDLE_CC_1(hexp10, exp10f(a))
HEDDLE_CC_1(hlog, ::logf(a))
HEDDLE_CC_1(hlog2, ::log2f(a))
HEDDLE_CC_1(hlog10, ::log10f(a))
HEDDLE_CC_1(hsin, ::sinf(a))
HEDDLE_CC_1(hcos, ::cosf(a))
HEDDLE_CC_1(htanh, tanhf(a))
HEDDLE_CC_FUNCTION HEDDLE_CC_H htanh_approx(HEDDLE_CC_H x) {
  HEDDLE_CC_RAW result;
  asm("tanh.approx." HEDDLE_CC_PTX " %0, %1;" : "=h"(result.x) : "h"(x.x));
  return result;
}
HEDDLE_CC_FUNCTION HEDDLE_CC_H2 h2tanh_approx(HEDDLE_CC_H2 v) {
  unsigned result;
  asm("tanh.approx." HEDDLE_CC_PTX "x2 %0, %1;" : "=r"(result) : "r"(heddle_cc::packed(v)));
  heddle_cc::unpack(v, result);
  return v;
}
HEDDLE_CC_1(hfloor, floorf(a))
HEDDLE_CC_1(hceil, ceilf(a))
HEDDLE_CC_1(htrunc, truncf(a))
HEDDLE_CC_1(hrint, rintf(a))
#define HEDDLE_CC_MATH_PAIR(name) \
  HEDDLE_CC_FUNCTION HEDDLE_CC_H2 h2##name(HEDDLE_CC_H2 v) { return {h##name(v.x), h##name(v.y)}; }
HEDDLE_CC_MATH_PAIR(sqrt)
HEDDLE_CC_MATH_PAIR(rsqrt)
HEDDLE_CC_MATH_PAIR(rcp)
HEDDLE_CC_MATH_PAIR(exp)
HEDDLE_CC_MATH_PAIR(exp2)
HEDDLE_CC_MATH_PAIR(log)
HEDDLE_CC_MATH_PAIR(log2)
HEDDLE_CC_MATH_PAIR(exp10)
HEDDLE_CC_MATH_PAIR(log10)
HEDDLE_CC_MATH_PAIR(tanh)
HEDDLE_CC_MATH_PAIR(sin)
HEDDLE_CC_MATH_PAIR(cos)
HEDDLE_CC_MATH_PAIR(floor)
HEDDLE_CC_MATH_PAIR(ceil)
HEDDLE_CC_MATH_PAIR(trunc)
HEDDLE_CC_MATH_PAIR(rint)

#define HEDDLE_CC_OPERATOR(symbol, name)                                                          \
  HEDDLE_CC_BOTH HEDDLE_CC_H operator symbol(HEDDLE_CC_H a, HEDDLE_CC_H b) { return name(a, b); } \
  HEDDLE_CC_BOTH HEDDLE_CC_H& operator symbol##=(HEDDLE_CC_H& a, HEDDLE_CC_H b) { return a = name(a, b); }
#define HEDDLE_CC_OPERATOR_2(symbol, name)                                                           \
  HEDDLE_CC_BOTH HEDDLE_CC_H2 operator symbol(HEDDLE_CC_H2 a, HEDDLE_CC_H2 b) { return name(a, b); } \
  HEDDLE_CC_BOTH HEDDLE_CC_H2& operator symbol##=(HEDDLE_CC_H2& a, HEDDLE_CC_H2 b) { return a = name(a, b); }
#define HEDDLE_CC_RELATION(symbol, name) \
  HEDDLE_CC_BOTH bool operator symbol(HEDDLE_CC_H a, HEDDLE_CC_H b) { return name(a, b); }
HEDDLE_CC_OPERATOR(+, __hadd)
HEDDLE_CC_OPERATOR(-, __hsub)
HEDDLE_CC_OPERATOR(*, __hmul)
HEDDLE_CC_OPERATOR(/, __hdiv)
HEDDLE_CC_OPERATOR_2(+, __hadd2)
HEDDLE_CC_OPERATOR_2(-, __hsub2)
HEDDLE_CC_OPERATOR_2(*, __hmul2)
HEDDLE_CC_OPERATOR_2(/, __h2div)
HEDDLE_CC_RELATION(==, __heq)
HEDDLE_CC_RELATION(!=, __hneu)
HEDDLE_CC_RELATION(<, __hlt)
HEDDLE_CC_RELATION(<=, __hle)
HEDDLE_CC_RELATION(>, __hgt)
HEDDLE_CC_RELATION(>=, __hge)
HEDDLE_CC_BOTH HEDDLE_CC_H operator-(HEDDLE_CC_H v) { return __hneg(v); }
HEDDLE_CC_BOTH HEDDLE_CC_H operator+(HEDDLE_CC_H v) { return v; }
HEDDLE_CC_BOTH HEDDLE_CC_H2 operator-(HEDDLE_CC_H2 v) { return __hneg2(v); }
HEDDLE_CC_BOTH HEDDLE_CC_H2 operator+(HEDDLE_CC_H2 v) { return v; }
HEDDLE_CC_BOTH HEDDLE_CC_H& operator++(HEDDLE_CC_H& v) { return v += HEDDLE_CC_H(1); }
HEDDLE_CC_BOTH HEDDLE_CC_H& operator--(HEDDLE_CC_H& v) { return v -= HEDDLE_CC_H(1); }
HEDDLE_CC_BOTH bool operator==(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { return __hbeq2(v, w); }
HEDDLE_CC_BOTH bool operator!=(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { return __hbneu2(v, w); }
HEDDLE_CC_BOTH bool operator<(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { return __hblt2(v, w); }
HEDDLE_CC_BOTH bool operator<=(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { return __hble2(v, w); }
HEDDLE_CC_BOTH bool operator>(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { return __hbgt2(v, w); }
HEDDLE_CC_BOTH bool operator>=(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { return __hbge2(v, w); }

HEDDLE_CC_FUNCTION HEDDLE_CC_H atomicAdd(HEDDLE_CC_H* p, HEDDLE_CC_H v) {
  HEDDLE_CC_RAW old;
  asm volatile("atom.add.noftz." HEDDLE_CC_PTX " %0, [%1], %2;"
               : "=h"(old.x)
               : HEDDLE_CC_ADDRESS(p), "h"(v.x)
               : "memory");
  return old;
}
HEDDLE_CC_FUNCTION HEDDLE_CC_H2 atomicAdd(HEDDLE_CC_H2* p, HEDDLE_CC_H2 v) {
  unsigned old;
  asm volatile("atom.add.noftz." HEDDLE_CC_PTX "x2 %0, [%1], %2;"
               : "=r"(old)
               : HEDDLE_CC_ADDRESS(p), "r"(heddle_cc::packed(v))
               : "memory");
  heddle_cc::unpack(v, old);
  return v;
}
#define HEDDLE_CC_SHUFFLE(name, operand)                                                            \
  HEDDLE_CC_FUNCTION HEDDLE_CC_H name(unsigned mask, HEDDLE_CC_H v, operand by, int width = 32) {   \
    return HEDDLE_CC_RAW{(unsigned short)name(mask, (unsigned)v.x, by, width)};                     \
  }                                                                                                 \
  HEDDLE_CC_FUNCTION HEDDLE_CC_H2 name(unsigned mask, HEDDLE_CC_H2 v, operand by, int width = 32) { \
    const unsigned both = name(mask, heddle_cc::packed(v), by, width);                              \
    return {HEDDLE_CC_RAW{(unsigned short)both}, HEDDLE_CC_RAW{(unsigned short)(both >> 16)}};      \
  }
HEDDLE_CC_SHUFFLE(__shfl_sync, int)
HEDDLE_CC_SHUFFLE(__shfl_up_sync, unsigned)
HEDDLE_CC_SHUFFLE(__shfl_down_sync, unsigned)
HEDDLE_CC_SHUFFLE(__shfl_xor_sync, int)
HEDDLE_CC_FUNCTION HEDDLE_CC_H __ldg(const HEDDLE_CC_H* p) {
  return HEDDLE_CC_RAW{__ldg((const unsigned short*)p)};
}
HEDDLE_CC_FUNCTION HEDDLE_CC_H2 __ldg(const HEDDLE_CC_H2* p) {
  const unsigned both = __ldg((const unsigned*)p);
  return {HEDDLE_CC_RAW{(unsigned short)both}, HEDDLE_CC_RAW{(unsigned short)(both >> 16)}};
}
#undef HEDDLE_CC_OF
#undef HEDDLE_CC_1
#undef HEDDLE_CC_2
#undef HEDDLE_CC_PAIR_1
#undef HEDDLE_CC_BY_2
#undef HEDDLE_CC_BY_3
#undef HEDDLE_CC_COMPARE
#undef HEDDLE_CC_MATH_PAIR
#undef HEDDLE_CC_OPERATOR
#undef HEDDLE_CC_OPERATOR_2
#undef HEDDLE_CC_RELATION
#undef HEDDLE_CC_SHUFFLE
#undef HEDDLE_CC_HOST
