// SPDX-License-Identifier: Apache-2.0
// The names of <math.h>, <cmath> and CUDA's own mathematical functions on the device.
//
// They are overloads next to the host's functions of the same names; clang selects by the caller. This header
// must precede all headers of the C++ library, whose constexpr functions clang would otherwise also use on
// the device.
#pragma once

#include "arithmetic.h"
#include "bessel.h"
#include "integer.h"
#include "math_f32.h"
#include "memory.h"

namespace heddle_cc {
template <bool condition, class T>
struct If {};
template <class T>
struct If<true, T> {
  using type = T;
};
template <class T>
struct Arithmetic {
  static constexpr bool whole = false, real = false;
};
#define HEDDLE_CC_KIND(t, w)                    \
  template <>                                   \
  struct Arithmetic<t> {                        \
    static constexpr bool whole = w, real = !w; \
  };
HEDDLE_CC_KIND(bool, true)
HEDDLE_CC_KIND(char, true)
HEDDLE_CC_KIND(signed char, true)
HEDDLE_CC_KIND(unsigned char, true)
HEDDLE_CC_KIND(short, true)
HEDDLE_CC_KIND(unsigned short, true)
HEDDLE_CC_KIND(int, true)
HEDDLE_CC_KIND(unsigned, true)
HEDDLE_CC_KIND(long, true)
HEDDLE_CC_KIND(unsigned long, true)
HEDDLE_CC_KIND(long long, true)
HEDDLE_CC_KIND(unsigned long long, true)
HEDDLE_CC_KIND(float, false)
HEDDLE_CC_KIND(double, false)
#undef HEDDLE_CC_KIND
template <class A, class B>
struct Same {
  static constexpr bool value = false;
};
template <class A>
struct Same<A, A> {
  static constexpr bool value = true;
};
/// Has the type double if two arithmetic types are neither both float nor both double. (Functions for two
/// floats or two doubles are defined separately.)
template <class A, class B>
struct Mixed
    : If<(Arithmetic<A>::whole || Arithmetic<A>::real) && (Arithmetic<B>::whole || Arithmetic<B>::real) &&
             !(Arithmetic<A>::real && Same<A, B>::value),
         double> {};
}  // namespace heddle_cc

// With --use_fast_math, functions such as sinf() return approximations, as __sinf() does.
#ifdef __USE_FAST_MATH__
#define HEDDLE_CC_FAST(fast, accurate) fast
#else
#define HEDDLE_CC_FAST(fast, accurate) accurate
#endif

// Defines a function of one number for double, for float (with and without the suffix `f`), and for integers.
#define HEDDLE_CC_ONE(name, of_double, of_float)                                                       \
  HEDDLE_CC_FUNCTION double name(double x) { return of_double; }                                       \
  HEDDLE_CC_FUNCTION float name##f(float x) { return of_float; }                                       \
  HEDDLE_CC_FUNCTION float name(float x) { return name##f(x); }                                        \
  template <class T>                                                                                   \
  HEDDLE_CC_FUNCTION typename heddle_cc::If<heddle_cc::Arithmetic<T>::whole, double>::type name(T x) { \
    return name((double)x);                                                                            \
  }
#define HEDDLE_CC_TWO(name, of_double, of_float)                            \
  HEDDLE_CC_FUNCTION double name(double x, double y) { return of_double; }  \
  HEDDLE_CC_FUNCTION float name##f(float x, float y) { return of_float; }   \
  HEDDLE_CC_FUNCTION float name(float x, float y) { return name##f(x, y); } \
  template <class A, class B>                                               \
  HEDDLE_CC_FUNCTION typename heddle_cc::Mixed<A, B>::type name(A x, B y) { \
    return name((double)x, (double)y);                                      \
  }
#define HEDDLE_CC_BOTH_WAYS(name) HEDDLE_CC_ONE(name, heddle_cc::name##_f64(x), heddle_cc::name##_f32(x))
#define HEDDLE_CC_THROUGH_DOUBLE(name) \
  HEDDLE_CC_ONE(name, heddle_cc::name##_f64(x), (float)heddle_cc::name##_f64(x))

HEDDLE_CC_ONE(exp, heddle_cc::exp_f64(x), HEDDLE_CC_FAST(__expf(x), heddle_cc::exp_f32(x)))
HEDDLE_CC_ONE(exp10, heddle_cc::exp10_f64(x), HEDDLE_CC_FAST(__exp10f(x), heddle_cc::exp10_f32(x)))
HEDDLE_CC_ONE(log, heddle_cc::log_f64(x), HEDDLE_CC_FAST(__logf(x), heddle_cc::log_f32(x)))
HEDDLE_CC_ONE(log2, heddle_cc::log2_f64(x), HEDDLE_CC_FAST(__log2f(x), heddle_cc::log2_f32(x)))
HEDDLE_CC_ONE(log10, heddle_cc::log10_f64(x), HEDDLE_CC_FAST(__log10f(x), heddle_cc::log10_f32(x)))
HEDDLE_CC_ONE(sin, heddle_cc::sin_f64(x), HEDDLE_CC_FAST(__sinf(x), heddle_cc::sin_f32(x)))
HEDDLE_CC_ONE(cos, heddle_cc::cos_f64(x), HEDDLE_CC_FAST(__cosf(x), heddle_cc::cos_f32(x)))
HEDDLE_CC_ONE(tan, heddle_cc::tan_f64(x), HEDDLE_CC_FAST(__tanf(x), heddle_cc::tan_f32(x)))
HEDDLE_CC_TWO(pow, heddle_cc::pow_f64(x, y), HEDDLE_CC_FAST(__powf(x, y), heddle_cc::pow_f32(x, y)))
HEDDLE_CC_BOTH_WAYS(exp2)
HEDDLE_CC_BOTH_WAYS(expm1)
HEDDLE_CC_BOTH_WAYS(log1p)
HEDDLE_CC_BOTH_WAYS(sinpi)
HEDDLE_CC_BOTH_WAYS(cospi)
HEDDLE_CC_BOTH_WAYS(asin)
HEDDLE_CC_BOTH_WAYS(acos)
HEDDLE_CC_BOTH_WAYS(atan)
HEDDLE_CC_BOTH_WAYS(sinh)
HEDDLE_CC_BOTH_WAYS(cosh)
HEDDLE_CC_BOTH_WAYS(tanh)
HEDDLE_CC_BOTH_WAYS(asinh)
HEDDLE_CC_BOTH_WAYS(acosh)
HEDDLE_CC_BOTH_WAYS(atanh)
HEDDLE_CC_BOTH_WAYS(cbrt)
HEDDLE_CC_BOTH_WAYS(rcbrt)
HEDDLE_CC_BOTH_WAYS(erf)
HEDDLE_CC_BOTH_WAYS(erfc)
HEDDLE_CC_THROUGH_DOUBLE(erfcx)
HEDDLE_CC_THROUGH_DOUBLE(erfinv)
HEDDLE_CC_THROUGH_DOUBLE(erfcinv)
HEDDLE_CC_THROUGH_DOUBLE(normcdf)
HEDDLE_CC_THROUGH_DOUBLE(normcdfinv)
HEDDLE_CC_THROUGH_DOUBLE(tgamma)
HEDDLE_CC_THROUGH_DOUBLE(lgamma)
#ifdef HEDDLE_CC_APPROXIMATE_ROOT  // -prec-sqrt=false
HEDDLE_CC_ONE(sqrt, __nvvm_sqrt_rn_d(x), __nvvm_sqrt_approx_f(x))
#else
HEDDLE_CC_ONE(sqrt, __nvvm_sqrt_rn_d(x), __builtin_sqrtf(x))
#endif
HEDDLE_CC_ONE(rsqrt, heddle_cc::rsqrt_f64(x), __nvvm_rsqrt_approx_f(x))
HEDDLE_CC_ONE(fabs, __builtin_fabs(x), __builtin_fabsf(x))
HEDDLE_CC_ONE(floor, __builtin_floor(x), __builtin_floorf(x))
HEDDLE_CC_ONE(ceil, __builtin_ceil(x), __builtin_ceilf(x))
HEDDLE_CC_ONE(trunc, __builtin_trunc(x), __builtin_truncf(x))
HEDDLE_CC_ONE(rint, __builtin_rint(x), __builtin_rintf(x))
HEDDLE_CC_ONE(nearbyint, __builtin_rint(x), __builtin_rintf(x))
HEDDLE_CC_TWO(atan2, heddle_cc::atan2_f64(x, y), heddle_cc::atan2_f32(x, y))
HEDDLE_CC_TWO(hypot, heddle_cc::length(x, y), heddle_cc::length_f32(x, y))
HEDDLE_CC_TWO(rhypot, heddle_cc::inverse_length(x, y), heddle_cc::inverse_length_f32(x, y))
HEDDLE_CC_TWO(fmin, __nvvm_fmin_d(x, y), __nvvm_fmin_f(x, y))
HEDDLE_CC_TWO(fmax, __nvvm_fmax_d(x, y), __nvvm_fmax_f(x, y))
HEDDLE_CC_TWO(copysign, __builtin_copysign(x, y), __builtin_copysignf(x, y))
HEDDLE_CC_FUNCTION float abs(float x) { return __builtin_fabsf(x); }
HEDDLE_CC_FUNCTION double abs(double x) { return __builtin_fabs(x); }
HEDDLE_CC_FUNCTION float min(float a, float b) { return fminf(a, b); }
HEDDLE_CC_FUNCTION float max(float a, float b) { return fmaxf(a, b); }
HEDDLE_CC_FUNCTION double min(double a, double b) { return fmin(a, b); }
HEDDLE_CC_FUNCTION double max(double a, double b) { return fmax(a, b); }
HEDDLE_CC_FUNCTION double min(float a, double b) { return fmin(a, b); }
HEDDLE_CC_FUNCTION double max(float a, double b) { return fmax(a, b); }
HEDDLE_CC_FUNCTION double min(double a, float b) { return fmin(a, b); }
HEDDLE_CC_FUNCTION double max(double a, float b) { return fmax(a, b); }

HEDDLE_CC_FUNCTION double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
HEDDLE_CC_FUNCTION float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
HEDDLE_CC_FUNCTION float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
HEDDLE_CC_FUNCTION double norm3d(double x, double y, double z) { return heddle_cc::length(x, y, z); }
HEDDLE_CC_FUNCTION double norm4d(double x, double y, double z, double w) {
  return heddle_cc::length(x, y, z, w);
}
HEDDLE_CC_FUNCTION double rnorm3d(double x, double y, double z) { return heddle_cc::inverse_length(x, y, z); }
HEDDLE_CC_FUNCTION double rnorm4d(double x, double y, double z, double w) {
  return heddle_cc::inverse_length(x, y, z, w);
}
HEDDLE_CC_FUNCTION float norm3df(float x, float y, float z) { return heddle_cc::length_f32(x, y, z); }
HEDDLE_CC_FUNCTION float norm4df(float x, float y, float z, float w) {
  return heddle_cc::length_f32(x, y, z, w);
}
HEDDLE_CC_FUNCTION float rnorm3df(float x, float y, float z) {
  return heddle_cc::inverse_length_f32(x, y, z);
}
HEDDLE_CC_FUNCTION float rnorm4df(float x, float y, float z, float w) {
  return heddle_cc::inverse_length_f32(x, y, z, w);
}

// Bessel functions. <cmath> has no overloads of these names.
#define HEDDLE_CC_BESSEL(name)                                                  \
  HEDDLE_CC_FUNCTION double name(double x) { return heddle_cc::name##_f64(x); } \
  HEDDLE_CC_FUNCTION float name##f(float x) { return (float)heddle_cc::name##_f64((double)x); }
#define HEDDLE_CC_BESSEL_N(name)                                                          \
  HEDDLE_CC_FUNCTION double name(int n, double x) { return heddle_cc::name##_f64(n, x); } \
  HEDDLE_CC_FUNCTION float name##f(int n, float x) { return (float)heddle_cc::name##_f64(n, (double)x); }
HEDDLE_CC_BESSEL(j0)
HEDDLE_CC_BESSEL(j1)
HEDDLE_CC_BESSEL(y0)
HEDDLE_CC_BESSEL(y1)
HEDDLE_CC_BESSEL(cyl_bessel_i0)
HEDDLE_CC_BESSEL(cyl_bessel_i1)
HEDDLE_CC_BESSEL_N(jn)
HEDDLE_CC_BESSEL_N(yn)
#undef HEDDLE_CC_BESSEL
#undef HEDDLE_CC_BESSEL_N

HEDDLE_CC_FUNCTION double fdivide(double x, double y) { return x / y; }

namespace heddle_cc {
/// Returns the square root of the sum of n squares, multiplied by the scale `down`, so that no square
/// overflows.
HEDDLE_CC_FUNCTION Pair norm_of(int n, const double* p, double& down) {
  Length l;
  for (int i = 0; i < n; ++i) l.see(p[i]);
  down = l.down();
  Pair s = {0, 0};
  for (int i = 0; i < n; ++i) s = sum(s, product(p[i] * down, p[i] * down));
  if (infinite(l.largest) || not_a_number(l.largest)) s = {l.largest, 0};
  return infinite(s.high) || not_a_number(s.high) ? s : square_root(s);
}
}  // namespace heddle_cc
HEDDLE_CC_FUNCTION double norm(int n, const double* p) {
  double down;
  const heddle_cc::Pair s = heddle_cc::norm_of(n, p, down);
  return (s.high + s.low) / down;
}
HEDDLE_CC_FUNCTION double rnorm(int n, const double* p) {
  double down;
  const heddle_cc::Pair s = heddle_cc::norm_of(n, p, down);
  return 1 / (s.high + s.low) * down;
}
HEDDLE_CC_FUNCTION float normf(int n, const float* p) {
  double s = 0;  // squares of floats do not overflow a double
  for (int i = 0; i < n; ++i) s = heddle_cc::fused((double)p[i], (double)p[i], s);
  return (float)sqrt(s);
}
HEDDLE_CC_FUNCTION float rnormf(int n, const float* p) {
  double s = 0;
  for (int i = 0; i < n; ++i) s = heddle_cc::fused((double)p[i], (double)p[i], s);
  return (float)(1 / sqrt(s));
}

#define HEDDLE_CC_SINCOS(name, double_form, float_form)                                 \
  HEDDLE_CC_FUNCTION void name(double x, double* sine, double* cosine) { double_form; } \
  HEDDLE_CC_FUNCTION void name##f(float x, float* sine, float* cosine) { float_form; }  \
  HEDDLE_CC_FUNCTION void name(float x, float* sine, float* cosine) { name##f(x, sine, cosine); }
HEDDLE_CC_SINCOS(sincos, heddle_cc::sincos_f64(x, sine, cosine),
                 HEDDLE_CC_FAST(__sincosf, heddle_cc::sincos_f32)(x, sine, cosine))
HEDDLE_CC_SINCOS(sincospi, (*sine = heddle_cc::sinpi_f64(x), *cosine = heddle_cc::cospi_f64(x)),
                 (*sine = heddle_cc::sinpi_f32(x), *cosine = heddle_cc::cospi_f32(x)))
#undef HEDDLE_CC_SINCOS

#include "math_parts.h"
#include "math_std.h"
