// What __half and __nv_bfloat16 have in common, made of macros: type, arithmetic, comparisons, pairs, mathematics, atomics and
// shuffles. Every operation goes through float (fused ones through double) and is rounded once: that is the correct result, as
// 24 digits are more than twice 11 and two more.
//
// Included by cuda_fp16.h and cuda_bf16.h with
//   HEDDLE_CC_H, HEDDLE_CC_H2   the types       HEDDLE_CC_WIDEN      its float      HEDDLE_CC_EXPONENT    bits of exponent
//   HEDDLE_CC_NAME(a, b)        a##half##b or a##bfloat16##b
#ifndef HEDDLE_CC_H
#error "include cuda_fp16.h or cuda_bf16.h"
#endif

struct __align__(2) HEDDLE_CC_H {
  unsigned short x;

  HEDDLE_CC_H() = default;
  __host__ __device__ constexpr HEDDLE_CC_H(HEDDLE_CC_RAW raw) : x(raw.x) {}
#define HEDDLE_CC_FROM(type)              \
  __host__ __device__ HEDDLE_CC_H(type v) \
      : x(heddle_cc::narrowed<HEDDLE_CC_EXPONENT, heddle_cc::Round::nearest>((double)v)) {}
  HEDDLE_CC_FROM(float)
  HEDDLE_CC_FROM(double)
  HEDDLE_CC_FROM(short)
  HEDDLE_CC_FROM(unsigned short)
  HEDDLE_CC_FROM(int)
  HEDDLE_CC_FROM(unsigned)
  // 64 bits are more digits than double has, and numbers above 2^53 all round to infinity or are multiples of a large power.
  HEDDLE_CC_FROM(long long)
  HEDDLE_CC_FROM(unsigned long long)
  HEDDLE_CC_FROM(long)
  HEDDLE_CC_FROM(unsigned long)
#undef HEDDLE_CC_FROM
  __host__ __device__ operator float() const { return HEDDLE_CC_WIDEN(x); }
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
};

#define HEDDLE_CC_OF(value) HEDDLE_CC_H(value)
HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(__float2, _rn)(float v) { return HEDDLE_CC_H(v); }
HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(__float2, )(float v) { return HEDDLE_CC_H(v); }
HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(__double2, )(double v) { return HEDDLE_CC_H(v); }
HEDDLE_CC_BOTH float HEDDLE_CC_NAME(__, 2float)(HEDDLE_CC_H v) { return v; }
// From and to whole numbers, by every rounding. The narrow ones are clamped, as by cvt.
#define HEDDLE_CC_MADE(from, suffix, type, round)                                                      \
  HEDDLE_CC_BOTH HEDDLE_CC_H HEDDLE_CC_NAME(from, suffix)(type v) {                                    \
    return HEDDLE_CC_RAW{heddle_cc::narrowed<HEDDLE_CC_EXPONENT, heddle_cc::Round::round>((double)v)}; \
  }
#define HEDDLE_CC_ROUNDED(suffix, round)                                                                    \
  HEDDLE_CC_MADE(__int2, suffix, int, round)                                                                \
  HEDDLE_CC_MADE(__uint2, suffix, unsigned, round)                                                          \
  HEDDLE_CC_MADE(__short2, suffix, short, round)                                                            \
  HEDDLE_CC_MADE(__ushort2, suffix, unsigned short, round)                                                  \
  HEDDLE_CC_MADE(__ll2, suffix, long long, round)                                                           \
  HEDDLE_CC_MADE(__ull2, suffix, unsigned long long, round)                                                 \
  HEDDLE_CC_FUNCTION int HEDDLE_CC_NAME(__, 2int##suffix)(HEDDLE_CC_H v) { return __float2int##suffix(v); } \
  HEDDLE_CC_FUNCTION unsigned HEDDLE_CC_NAME(__, 2uint##suffix)(HEDDLE_CC_H v) {                            \
    return __float2uint##suffix(v);                                                                         \
  }                                                                                                         \
  HEDDLE_CC_FUNCTION long long HEDDLE_CC_NAME(__, 2ll##suffix)(HEDDLE_CC_H v) {                             \
    return __float2ll##suffix(v);                                                                           \
  }                                                                                                         \
  HEDDLE_CC_FUNCTION unsigned long long HEDDLE_CC_NAME(__, 2ull##suffix)(HEDDLE_CC_H v) {                   \
    return __float2ull##suffix(v);                                                                          \
  }                                                                                                         \
  HEDDLE_CC_FUNCTION short HEDDLE_CC_NAME(__, 2short##suffix)(HEDDLE_CC_H v) {                              \
    return (short)min(max(__float2int##suffix(v), -32768), 32767);                                          \
  }                                                                                                         \
  HEDDLE_CC_FUNCTION unsigned short HEDDLE_CC_NAME(__, 2ushort##suffix)(HEDDLE_CC_H v) {                    \
    return (unsigned short)min(__float2uint##suffix(v), 65535u);                                            \
  }
HEDDLE_CC_ROUNDED(_rn, nearest)
HEDDLE_CC_ROUNDED(_rz, zero)
HEDDLE_CC_ROUNDED(_rd, down)
HEDDLE_CC_ROUNDED(_ru, up)
HEDDLE_CC_MADE(__float2, _rz, float, zero)
HEDDLE_CC_MADE(__float2, _rd, float, down)
HEDDLE_CC_MADE(__float2, _ru, float, up)
#undef HEDDLE_CC_ROUNDED
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

// Arithmetic: a name of the guide, and an expression of the floats a, b, c.
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
#define HEDDLE_CC_PREDICATE(name, expression)              \
  HEDDLE_CC_BOTH bool name(HEDDLE_CC_H x, HEDDLE_CC_H y) { \
    const float a = x, b = y;                              \
    return expression;                                     \
  }
#define HEDDLE_CC_PAIR_1(name) \
  HEDDLE_CC_FUNCTION HEDDLE_CC_H2 name##2(HEDDLE_CC_H2 v) { return {name(v.x), name(v.y)}; }
#define HEDDLE_CC_PAIR_2(name)                                          \
  HEDDLE_CC_BOTH HEDDLE_CC_H2 name##2(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { \
    return {name(v.x, w.x), name(v.y, w.y)};                            \
  }
#define HEDDLE_CC_CLAMPED(v) ((v) > 0 ? (v) < 1 ? (v) : 1.0f : 0.0f)
#define HEDDLE_CC_BINARY(name, expression) \
  HEDDLE_CC_2(name, expression)            \
  HEDDLE_CC_PAIR_2(name)
// Ordered (false where a number is none) and unordered (true there): one, both of a pair, each of a pair as 1 or as a mask.
#define HEDDLE_CC_COMPARE_ONE(name, expression)                                             \
  HEDDLE_CC_PREDICATE(__h##name, expression)                                                \
  HEDDLE_CC_BOTH HEDDLE_CC_H2 __h##name##2(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {                \
    return {HEDDLE_CC_OF(__h##name(v.x, w.x) ? 1.0f : 0.0f),                                \
            HEDDLE_CC_OF(__h##name(v.y, w.y) ? 1.0f : 0.0f)};                               \
  }                                                                                         \
  HEDDLE_CC_BOTH unsigned __h##name##2_mask(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {               \
    return (__h##name(v.x, w.x) ? 0xffffu : 0u) | (__h##name(v.y, w.y) ? 0xffff0000u : 0u); \
  }                                                                                         \
  HEDDLE_CC_BOTH bool __hb##name##2(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {                       \
    return __h##name(v.x, w.x) && __h##name(v.y, w.y);                                      \
  }
#define HEDDLE_CC_COMPARE(name, operation)   \
  HEDDLE_CC_COMPARE_ONE(name, a operation b) \
  HEDDLE_CC_COMPARE_ONE(name##u, a != a || b != b || a operation b)
HEDDLE_CC_BINARY(__hadd, a + b)
HEDDLE_CC_BINARY(__hsub, a - b)
HEDDLE_CC_BINARY(__hmul, a* b)
HEDDLE_CC_2(__hdiv, a / b)
HEDDLE_CC_2(__hadd_rn, a + b)
HEDDLE_CC_2(__hsub_rn, a - b)
HEDDLE_CC_2(__hmul_rn, a* b)
HEDDLE_CC_BOTH HEDDLE_CC_H2 __h2div(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {
  return {__hdiv(v.x, w.x), __hdiv(v.y, w.y)};
}
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hadd2_rn(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { return __hadd2(v, w); }
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hmul2_rn(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { return __hmul2(v, w); }
HEDDLE_CC_2(__hadd_sat, HEDDLE_CC_CLAMPED(a + b))
HEDDLE_CC_2(__hsub_sat, HEDDLE_CC_CLAMPED(a - b))
HEDDLE_CC_2(__hmul_sat, HEDDLE_CC_CLAMPED(a* b))
HEDDLE_CC_BINARY(__hmin, a < b || b != b ? a : b)
HEDDLE_CC_BINARY(__hmax, a > b || b != b ? a : b)
HEDDLE_CC_2(__hmin_nan, a != a || b != b ? a + b : a < b ? a : b)
HEDDLE_CC_2(__hmax_nan, a != a || b != b ? a + b : a > b ? a : b)
#define HEDDLE_CC_EACH(name, of_one)                                 \
  HEDDLE_CC_BOTH HEDDLE_CC_H2 name(HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) { \
    return {of_one(v.x, w.x), of_one(v.y, w.y)};                     \
  }
HEDDLE_CC_EACH(__hmin2_nan, __hmin_nan)
HEDDLE_CC_EACH(__hmax2_nan, __hmax_nan)
HEDDLE_CC_EACH(__hadd2_sat, __hadd_sat)
HEDDLE_CC_EACH(__hsub2_sat, __hsub_sat)
HEDDLE_CC_EACH(__hmul2_sat, __hmul_sat)
HEDDLE_CC_EACH(__hsub2_rn, __hsub)
#undef HEDDLE_CC_EACH
HEDDLE_CC_BOTH HEDDLE_CC_H __hfma(HEDDLE_CC_H x, HEDDLE_CC_H y, HEDDLE_CC_H z) {
  const double product = (double)(float)x * (double)(float)y;
  return HEDDLE_CC_OF(heddle_cc::odd_sum(product, (double)(float)z));
}
HEDDLE_CC_BOTH HEDDLE_CC_H __hfma_relu(HEDDLE_CC_H x, HEDDLE_CC_H y, HEDDLE_CC_H z) {
  const HEDDLE_CC_H v = __hfma(x, y, z);
  return (float)v < 0 ? HEDDLE_CC_H(0.0f) : v;
}
HEDDLE_CC_BOTH HEDDLE_CC_H __hfma_sat(HEDDLE_CC_H x, HEDDLE_CC_H y, HEDDLE_CC_H z) {
  const float v = __hfma(x, y, z);
  return HEDDLE_CC_OF(HEDDLE_CC_CLAMPED(v));
}
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hfma2(HEDDLE_CC_H2 u, HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {
  return {__hfma(u.x, v.x, w.x), __hfma(u.y, v.y, w.y)};
}
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hfma2_relu(HEDDLE_CC_H2 u, HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {
  return {__hfma_relu(u.x, v.x, w.x), __hfma_relu(u.y, v.y, w.y)};
}
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hfma2_sat(HEDDLE_CC_H2 u, HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {
  return {__hfma_sat(u.x, v.x, w.x), __hfma_sat(u.y, v.y, w.y)};
}
/// u * v + w of complex numbers, as four fused operations.
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hcmadd(HEDDLE_CC_H2 u, HEDDLE_CC_H2 v, HEDDLE_CC_H2 w);
HEDDLE_CC_BOTH HEDDLE_CC_H __hneg(HEDDLE_CC_H v) { return HEDDLE_CC_RAW{(unsigned short)(v.x ^ 0x8000)}; }
HEDDLE_CC_BOTH HEDDLE_CC_H __habs(HEDDLE_CC_H v) { return HEDDLE_CC_RAW{(unsigned short)(v.x & 0x7fff)}; }
HEDDLE_CC_PAIR_1(__hneg)
HEDDLE_CC_PAIR_1(__habs)
HEDDLE_CC_BOTH HEDDLE_CC_H2 __hcmadd(HEDDLE_CC_H2 u, HEDDLE_CC_H2 v, HEDDLE_CC_H2 w) {
  return {__hfma(__hneg(u.y), v.y, __hfma(u.x, v.x, w.x)), __hfma(u.y, v.x, __hfma(u.x, v.y, w.y))};
}
HEDDLE_CC_COMPARE(eq, ==)
HEDDLE_CC_COMPARE_ONE(ne, a<b || a> b)
HEDDLE_CC_COMPARE_ONE(neu, a != b)
HEDDLE_CC_COMPARE(lt, <)
HEDDLE_CC_COMPARE(le, <=)
HEDDLE_CC_COMPARE(gt, >)
HEDDLE_CC_COMPARE(ge, >=)
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
HEDDLE_CC_1(htanh_approx, __tanhf(a))
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
HEDDLE_CC_MATH_PAIR(tanh_approx)
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

/// Adds by compare and swap, since Heddle's PTX has no atom of 16 bits.
HEDDLE_CC_FUNCTION HEDDLE_CC_H atomicAdd(HEDDLE_CC_H* p, HEDDLE_CC_H v) {
  unsigned short* const word = (unsigned short*)p;
  unsigned short seen = *(volatile unsigned short*)word;
  for (;;) {
    const HEDDLE_CC_H old = HEDDLE_CC_RAW{seen};
    const unsigned short found = atomicCAS(word, seen, __hadd(old, v).x);
    if (found == seen) return old;
    seen = found;
  }
}
HEDDLE_CC_FUNCTION HEDDLE_CC_H2 atomicAdd(HEDDLE_CC_H2* p, HEDDLE_CC_H2 v) {
  unsigned seen = *(volatile unsigned*)p;
  for (;;) {
    const HEDDLE_CC_H2 old = {HEDDLE_CC_RAW{(unsigned short)seen},
                              HEDDLE_CC_RAW{(unsigned short)(seen >> 16)}};
    const HEDDLE_CC_H2 sum = __hadd2(old, v);
    const unsigned found = atomicCAS((unsigned*)p, seen, (unsigned)sum.y.x << 16 | sum.x.x);
    if (found == seen) return old;
    seen = found;
  }
}
#define HEDDLE_CC_SHUFFLE(name, operand)                                                            \
  HEDDLE_CC_FUNCTION HEDDLE_CC_H name(unsigned mask, HEDDLE_CC_H v, operand by, int width = 32) {   \
    return HEDDLE_CC_RAW{(unsigned short)name(mask, (unsigned)v.x, by, width)};                     \
  }                                                                                                 \
  HEDDLE_CC_FUNCTION HEDDLE_CC_H2 name(unsigned mask, HEDDLE_CC_H2 v, operand by, int width = 32) { \
    const unsigned both = name(mask, (unsigned)v.y.x << 16 | v.x.x, by, width);                     \
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
#undef HEDDLE_CC_PREDICATE
#undef HEDDLE_CC_PAIR_1
#undef HEDDLE_CC_PAIR_2
#undef HEDDLE_CC_CLAMPED
#undef HEDDLE_CC_BINARY
#undef HEDDLE_CC_COMPARE
#undef HEDDLE_CC_COMPARE_ONE
#undef HEDDLE_CC_MATH_PAIR
#undef HEDDLE_CC_OPERATOR
#undef HEDDLE_CC_OPERATOR_2
#undef HEDDLE_CC_RELATION
#undef HEDDLE_CC_SHUFFLE
