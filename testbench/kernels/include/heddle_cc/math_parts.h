// SPDX-License-Identifier: Apache-2.0
// Exact functions of the parts of numbers: signs, exponents, remainders, neighbours, and rounding to
// integers.
#pragma once

#define HEDDLE_CC_PREDICATE(name, expression)                                                        \
  HEDDLE_CC_FUNCTION bool name(double x) { return expression(x); }                                   \
  HEDDLE_CC_FUNCTION bool name(float x) { return expression(x); }                                    \
  template <class T>                                                                                 \
  HEDDLE_CC_FUNCTION typename heddle_cc::If<heddle_cc::Arithmetic<T>::whole, bool>::type name(T x) { \
    return name((double)x);                                                                          \
  }
#define HEDDLE_CC_FINITE(x) (__builtin_fabs(x) < heddle_cc::infinity_f64())
HEDDLE_CC_PREDICATE(isnan, heddle_cc::not_a_number)
HEDDLE_CC_PREDICATE(isinf, heddle_cc::infinite)
HEDDLE_CC_PREDICATE(isfinite, HEDDLE_CC_FINITE)
HEDDLE_CC_PREDICATE(signbit, __builtin_signbit)
#undef HEDDLE_CC_FINITE
#undef HEDDLE_CC_PREDICATE
HEDDLE_CC_FUNCTION bool isnormal(float x) {
  const unsigned exponent = heddle_cc::bits(x) >> 23 & 0xff;
  return exponent != 0 && exponent != 0xff;
}
HEDDLE_CC_FUNCTION bool isnormal(double x) {
  const unsigned exponent = (unsigned)(heddle_cc::bits(x) >> 52) & 0x7ff;
  return exponent != 0 && exponent != 0x7ff;
}
HEDDLE_CC_FUNCTION int __finitef(float x) { return isfinite(x); }
HEDDLE_CC_FUNCTION int __isinff(float x) { return isinf(x); }
HEDDLE_CC_FUNCTION int __isnanf(float x) { return isnan(x); }
HEDDLE_CC_FUNCTION int __finite(double x) { return isfinite(x); }
HEDDLE_CC_FUNCTION int __isinf(double x) { return isinf(x); }
HEDDLE_CC_FUNCTION int __isnan(double x) { return isnan(x); }
HEDDLE_CC_FUNCTION int __signbit(double x) { return signbit(x); }
HEDDLE_CC_FUNCTION int __signbitf(float x) { return signbit(x); }
#define HEDDLE_CC_COMPARE(name, expression)                               \
  HEDDLE_CC_FUNCTION bool name(double x, double y) { return expression; } \
  HEDDLE_CC_FUNCTION bool name(float x, float y) { return expression; }
HEDDLE_CC_COMPARE(isgreater, x > y)
HEDDLE_CC_COMPARE(isgreaterequal, x >= y)
HEDDLE_CC_COMPARE(isless, x < y)
HEDDLE_CC_COMPARE(islessequal, x <= y)
HEDDLE_CC_COMPARE(islessgreater, x<y || x> y)
HEDDLE_CC_COMPARE(isunordered, x != x || y != y)
#undef HEDDLE_CC_COMPARE

namespace heddle_cc {
/// Rounds to an integer; ties go away from 0.
HEDDLE_CC_FUNCTION double round_away(double x) {
  const double whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1.0, x) : whole, x);
}
HEDDLE_CC_FUNCTION float round_away(float x) {
  const float whole = __builtin_truncf(x);
  return __builtin_copysignf(
      __builtin_fabsf(x - whole) >= 0.5f ? whole + __builtin_copysignf(1.0f, x) : whole, x);
}
HEDDLE_CC_FUNCTION long long whole_away(double x) { return __double2ll_rz(round_away(x)); }
/// Returns the exponent of a number that is neither 0 nor infinite nor NaN.
HEDDLE_CC_FUNCTION int exponent(double x) {
  const unsigned long long size = bits(x) & 0x7fffffffffffffffull;
  if (size >> 52 != 0) return (int)(size >> 52) - 1023;
  return -1011 - __builtin_clzll(size);  // of the 64 bits, the first 12 are sign and exponent
}
HEDDLE_CC_FUNCTION int exponent(float x) {
  const unsigned size = bits(x) & 0x7fffffffu;
  if (size >> 23 != 0) return (int)(size >> 23) - 127;
  return -118 - __builtin_clz(size);
}
HEDDLE_CC_FUNCTION double times_power(double x, long n) {
  if (n < -2200) n = -2200;
  if (n > 2200) n = 2200;
  if (x == 0 || !(__builtin_fabs(x) < infinity_f64())) return x;
  const int m = (int)n + exponent(x);  // exponent of the result
  if (m > 1023) return __builtin_copysign(infinity_f64(), x);
  if (m < -1080) return __builtin_copysign(0.0, x);
  // Multiply by 2^(n + lift), which is exact, and then by 2^-lift, which may round a subnormal result.
  const int lift = m < -1000 ? 200 : 0;
  const double first =
      x * power_of_2_f64(((int)n + lift) / 2) * power_of_2_f64((int)n + lift - ((int)n + lift) / 2);
  return lift != 0 ? first * 0x1p-200 : first;
}
HEDDLE_CC_FUNCTION float times_power(float x, long n) {
  if (n < -300) n = -300;
  if (n > 300) n = 300;
  return (float)times_power((double)x, n);
}
HEDDLE_CC_FUNCTION double mantissa(double x, int* power) {
  if (x == 0 || !(__builtin_fabs(x) < infinity_f64())) {
    *power = 0;
    return x;
  }
  *power = exponent(x) + 1;
  return times_power(x, -*power);
}
HEDDLE_CC_FUNCTION double logb(double x) {
  if (x == 0) return -infinity_f64();
  return __builtin_fabs(x) < infinity_f64() ? exponent(x) : x * x;
}
HEDDLE_CC_FUNCTION int ilogb(double x) {
  if (x == 0 || not_a_number(x)) return -2147483647 - 1;
  return infinite(x) ? 2147483647 : exponent(x);
}
/// Returns |x| modulo |y| by long division in base 2, and the quotient's low 32 bits. x and y are finite, y
/// is not 0.
HEDDLE_CC_FUNCTION double remainder_of(double x, double y, unsigned& quotient) {
  double rest = __builtin_fabs(x);
  const double divisor = __builtin_fabs(y);
  quotient = 0;
  if (rest < divisor) return rest;
  for (int step = exponent(rest) - exponent(divisor); step >= 0; --step) {
    // The subtraction below is exact, because part <= rest < 2 part. `part` does not overflow, because its exponent
    // is at most that of x.
    const double part = times_power(divisor, step);
    quotient <<= 1;
    if (rest >= part) {
      rest -= part;
      quotient |= 1;
    }
  }
  return rest;
}
HEDDLE_CC_FUNCTION double fmod(double x, double y) {
  if (y == 0 || !(__builtin_fabs(x) < infinity_f64()) || not_a_number(y))
    return not_a_number(x + y) ? x + y : nan_f64();
  if (infinite(y)) return x;
  unsigned quotient;
  return __builtin_copysign(remainder_of(x, y, quotient), x);
}
HEDDLE_CC_FUNCTION double remquo(double x, double y, int* result) {
  *result = 0;
  if (y == 0 || !(__builtin_fabs(x) < infinity_f64()) || not_a_number(y))
    return not_a_number(x + y) ? x + y : nan_f64();
  if (infinite(y)) return x;
  unsigned quotient;
  double rest = remainder_of(x, y, quotient);
  const double divisor = __builtin_fabs(y);
  const double other =
      divisor - rest;  // distance to the next multiple of `divisor`; exact if it is smaller than `rest`
  if (rest > other || (rest == other && (quotient & 1) != 0)) {
    rest = -other;
    ++quotient;
  }
  quotient &= 7;
  *result = (x < 0) != (y < 0) ? -(int)quotient : (int)quotient;
  if (rest == 0) return __builtin_copysign(0.0, x);
  return x < 0 ? -rest : rest;
}
HEDDLE_CC_FUNCTION double next(double x, double y) {
  if (not_a_number(x) || not_a_number(y)) return x + y;
  if (x == y) return y;
  if (x == 0) return __builtin_copysign(as_double(1), y);
  return as_double(bits(x) + ((x < y) == (x > 0) ? 1ull : ~0ull));
}
HEDDLE_CC_FUNCTION float next(float x, float y) {
  if (not_a_number(x) || not_a_number(y)) return x + y;
  if (x == y) return y;
  if (x == 0) return __builtin_copysignf(as_float(1), y);
  return as_float(bits(x) + ((x < y) == (x > 0) ? 1u : ~0u));
}
}  // namespace heddle_cc

HEDDLE_CC_ONE(round, heddle_cc::round_away(x), heddle_cc::round_away(x))
HEDDLE_CC_ONE(logb, heddle_cc::logb(x), (float)heddle_cc::logb(x))
HEDDLE_CC_TWO(fdim, x > y ? x - y : x <= y ? 0 : x + y, x > y ? x - y : x <= y ? 0 : x + y)
HEDDLE_CC_TWO(fmod, heddle_cc::fmod(x, y), (float)heddle_cc::fmod(x, y))
HEDDLE_CC_TWO(nextafter, heddle_cc::next(x, y), heddle_cc::next(x, y))
HEDDLE_CC_FUNCTION double remquo(double x, double y, int* quotient) {
  return heddle_cc::remquo(x, y, quotient);
}
HEDDLE_CC_FUNCTION float remquof(float x, float y, int* quotient) {
  return (float)heddle_cc::remquo(x, y, quotient);
}
HEDDLE_CC_FUNCTION float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
namespace heddle_cc {
HEDDLE_CC_FUNCTION double remainder(double x, double y) {
  int quotient;
  return remquo(x, y, &quotient);
}
}  // namespace heddle_cc
HEDDLE_CC_TWO(remainder, heddle_cc::remainder(x, y), (float)heddle_cc::remainder(x, y))
#define HEDDLE_CC_TO_WHOLE(name, type, rounding)                                 \
  HEDDLE_CC_FUNCTION type name(double x) { return (type)rounding(x); }           \
  HEDDLE_CC_FUNCTION type name##f(float x) { return (type)rounding((double)x); } \
  HEDDLE_CC_FUNCTION type name(float x) { return name##f(x); }
HEDDLE_CC_TO_WHOLE(lrint, long, __double2ll_rn)
HEDDLE_CC_TO_WHOLE(llrint, long long, __double2ll_rn)
HEDDLE_CC_TO_WHOLE(lround, long, heddle_cc::whole_away)
HEDDLE_CC_TO_WHOLE(llround, long long, heddle_cc::whole_away)
#undef HEDDLE_CC_TO_WHOLE
HEDDLE_CC_FUNCTION double ldexp(double x, int n) { return heddle_cc::times_power(x, n); }
HEDDLE_CC_FUNCTION float ldexpf(float x, int n) { return heddle_cc::times_power(x, n); }
HEDDLE_CC_FUNCTION float ldexp(float x, int n) { return heddle_cc::times_power(x, n); }
HEDDLE_CC_FUNCTION double scalbn(double x, int n) { return heddle_cc::times_power(x, n); }
HEDDLE_CC_FUNCTION float scalbnf(float x, int n) { return heddle_cc::times_power(x, n); }
HEDDLE_CC_FUNCTION float scalbn(float x, int n) { return heddle_cc::times_power(x, n); }
HEDDLE_CC_FUNCTION double scalbln(double x, long n) { return heddle_cc::times_power(x, n); }
HEDDLE_CC_FUNCTION float scalblnf(float x, long n) { return heddle_cc::times_power(x, n); }
HEDDLE_CC_FUNCTION float scalbln(float x, long n) { return heddle_cc::times_power(x, n); }
HEDDLE_CC_FUNCTION double frexp(double x, int* n) { return heddle_cc::mantissa(x, n); }
HEDDLE_CC_FUNCTION float frexpf(float x, int* n) { return (float)heddle_cc::mantissa(x, n); }
HEDDLE_CC_FUNCTION float frexp(float x, int* n) { return frexpf(x, n); }
HEDDLE_CC_FUNCTION int ilogb(double x) { return heddle_cc::ilogb(x); }
HEDDLE_CC_FUNCTION int ilogbf(float x) { return heddle_cc::ilogb(x); }
HEDDLE_CC_FUNCTION int ilogb(float x) { return heddle_cc::ilogb(x); }
HEDDLE_CC_FUNCTION double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(heddle_cc::infinite(x) ? 0.0 : x - *whole, x);
}
HEDDLE_CC_FUNCTION float modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(heddle_cc::infinite(x) ? 0.0f : x - *whole, x);
}
HEDDLE_CC_FUNCTION float modf(float x, float* whole) { return modff(x, whole); }
HEDDLE_CC_FUNCTION double nan(const char*) { return heddle_cc::nan_f64(); }
HEDDLE_CC_FUNCTION float nanf(const char*) { return heddle_cc::nan_f32(); }
