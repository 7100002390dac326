// SPDX-License-Identifier: Apache-2.0
// Error functions, the normal distribution, the gamma function and lengths of vectors, in double. Functions
// of float that kernels use rarely round these results once.
#pragma once

#include "math_f64.h"
#include "trigonometric.h"

namespace heddle_cc {

/// Returns exp(x^2) erfc(x), for x of at least 0.
HEDDLE_CC_FUNCTION double erfcx_positive(double x) {
  if (x > 0x1p+54) return 0.5641895835477563 / x;
  const double t = (x - 4) / (x + 4);
  return polynomial(t, HEDDLE_CC_ERFCX_F64) / fused(2.0, x, 1.0);
}
/// Returns erfc(x) for x >= 0, where x is a sum of two doubles.
HEDDLE_CC_FUNCTION double erfc_positive(Pair x) {
  if (x.high > 28) return 0;
  const Pair square = product(x, x);
  int n;
  const Pair e = exp_pair(negative(square), n);
  // exp(x^2) erfc(x) is computed from the high double of x only. The relative slope of this function is below about 2 /
  // sqrt(pi), so the low double of x is negligible.
  return scaled((e.high + e.low) * erfcx_positive(x.high), n);
}
HEDDLE_CC_FUNCTION double erf_series(double x) { return fused(polynomial(x * x, HEDDLE_CC_ERF_F64), x, x); }

HEDDLE_CC_FUNCTION double erf_f64(double x) {
  const double size = __builtin_fabs(x);
  if (!(size >= 1)) return erf_series(x);
  return __builtin_copysign(size > 6 ? 1 : 1 - erfc_positive({size, 0}), x);
}
HEDDLE_CC_FUNCTION double erfc_f64(double x) {
  if (not_a_number(x)) return x;
  if (x < 0) return x < -6 ? 2 : 1 + erf_f64(-x);
  return x < 0.25 ? 1 - erf_series(x) : erfc_positive({x, 0});
}
HEDDLE_CC_FUNCTION double erfcx_f64(double x) {
  if (__builtin_fabs(x) < 0.25) return exp_of(product(x, x)) * (1 - erf_series(x));
  if (x < 0) {
    if (x < -26.7) return infinity_f64();
    return 2 * exp_of(product(x, x)) - erfcx_positive(-x);
  }
  return not_a_number(x) ? x : erfcx_positive(x);
}
/// Returns erfc(-x / sqrt(2)) / 2. The argument is computed as a sum of two doubles, because the error of erfc grows
/// with the square of a large argument.
HEDDLE_CC_FUNCTION double normcdf_f64(double x) {
  if (not_a_number(x)) return x;
  if (x < -39) return 0;
  if (x > 10) return 1;
  const Pair t = product(Pair{0.7071067811865476, -4.833646656726457e-17}, __builtin_fabs(x));
  if (t.high < 0.5) return 0.5 + 0.5 * __builtin_copysign(erf_series(t.high), x);
  const double tail = 0.5 * erfc_positive(t);
  return x < 0 ? tail : 1 - tail;
}

/// Returns a first approximation of the x for which erfc(x) = y, for 0 < y <= 1. The error is at most 4.5e-4 *
/// sqrt(1/2) (M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, 26.2.23).
HEDDLE_CC_FUNCTION double erfcinv_guess(double y) {
  const double t = __builtin_sqrt(2 * (kLn2High - log_f64(y)));
  const double deviate =
      t - polynomial(t, 2.515517, 0.802853, 0.010328) / polynomial(t, 1.0, 1.432788, 0.189269, 0.001308);
  return deviate * 0.7071067811865476;
}
/// Returns x with erfc(x) = y for 0 < y <= 1/2, by two steps of Halley's method, each of third order.
HEDDLE_CC_FUNCTION double erfcinv_small(double y) {
  double x = erfcinv_guess(y);
  for (int step = 0; step < 2; ++step) {
    // (erfc(x) - y) / erfc'(x), with numerator and denominator times exp(x^2), because y may be subnormal.
    const Pair square = product(x, x);
    const double grown = scaled(y, 60) * exp_of(sum(square, product(Pair{kLn2High, kLn2Low}, -60.0)));
    const double change = (erfcx_positive(x) - grown) * 0.8862269254527580;
    x += change / (1 - x * change);
  }
  return x;
}
/// Returns x with erf(x) = y for 0 <= y <= 1/2.
HEDDLE_CC_FUNCTION double erfinv_small(double y) {
  double x = y < 1e-5 ? y * 0.8862269254527580 : erfcinv_guess(1 - y);
  for (int step = 0; step < 2; ++step) {
    const double change = (y - erf_series(x)) * 0.8862269254527580 * exp_f64(x * x);
    x += change / (1 - x * change);
  }
  return x;
}
HEDDLE_CC_FUNCTION double erfinv_f64(double y) {
  const double size = __builtin_fabs(y);
  if (!(size <= 1)) return nan_f64();
  if (size == 1) return __builtin_copysign(infinity_f64(), y);
  if (size < 1e-290) return fused(y, 0.8862269254527580, y * 1.3e-17);
  return __builtin_copysign(size <= 0.5 ? erfinv_small(size) : erfcinv_small(1 - size), y);
}
HEDDLE_CC_FUNCTION double erfcinv_f64(double y) {
  if (!(y >= 0 && y <= 2)) return nan_f64();
  if (y == 0) return infinity_f64();
  if (y == 2) return -infinity_f64();
  if (y <= 0.5) return erfcinv_small(y);
  return y >= 1.5 ? -erfcinv_small(2 - y) : erfinv_f64(1 - y);
}
HEDDLE_CC_FUNCTION double normcdfinv_f64(double y) {
  if (!(y >= 0 && y <= 1)) return nan_f64();
  if (y < 0x1p-1000) return y == 0 ? -infinity_f64() : -1.4142135623730951 * erfcinv_small(2 * y);
  return -1.4142135623730951 * (y > 0.75   ? -erfcinv_f64(2 * (1 - y))
                                : y < 0.25 ? erfcinv_f64(2 * y)
                                           : erfinv_f64(1 - 2 * y));
}

/// Returns log gamma(x) for x of at least 16, by Stirling's series. The error of the sum is at most 2^-60.
HEDDLE_CC_FUNCTION Pair stirling(Pair x) {
  const double inverse = 1 / x.high;
  const double z = inverse * inverse;
  const double series =
      polynomial(z, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156) *
      inverse;
  const Pair l = product(log_pair(x), sum(x, -0.5));
  const Pair s = sum(sum(l, negative(x)), Pair{0.9189385332046728, -3.878294158067242e-17});
  return sum(s, series);
}
/// Returns the product of those factors x, x + 1, x + 2, ... that are below 16. Sets `end` to the first
/// factor of at least 16.
HEDDLE_CC_FUNCTION Pair rising(Pair x, Pair& end) {
  Pair factors = {1, 0};
  while (x.high < 16) {
    factors = product(factors, x);
    x = sum(x, 1.0);
  }
  end = x;
  return factors;
}
/// Computes gamma(x) for 0 < x < 172: returns a sum of two doubles, which the caller multiplies by 2^n.
HEDDLE_CC_FUNCTION Pair gamma_pair(Pair x, int& n) {
  Pair end;
  const Pair factors = rising(x, end);
  return quotient(exp_pair(stirling(end), n), factors);
}
HEDDLE_CC_FUNCTION double tgamma_f64(double x) {
  if (not_a_number(x)) return x;
  if (x == 0) return __builtin_copysign(infinity_f64(), x);
  if (x > 171.7) return infinity_f64();
  const bool whole = __builtin_trunc(x) == x;
  if (x < 0 && whole) return nan_f64();
  if (__builtin_fabs(x) < 0x1p-60) return 1 / x;
  int n;
  if (x > 0.5) {
    const Pair g = gamma_pair({x, 0}, n);
    const double value = scaled(g.high + g.low, n);
    return whole && x < 24 ? __builtin_rint(value) : value;
  }
  if (x < -184) return __builtin_rint(0.5 * __builtin_trunc(x)) * 2 == __builtin_trunc(x) ? -0.0 : 0;
  // gamma(x) gamma(1 - x) = pi / sin(pi x)
  const Pair g = gamma_pair(sum(1.0, -x), n);
  const Pair turn = product(g, sinpi_f64(x));
  const Pair value = quotient(Pair{3.141592653589793, 1.2246467991473532e-16}, turn);
  return scaled(value.high + value.low, -n);
}

/// Returns log gamma(x) for x above 0.
HEDDLE_CC_FUNCTION double lgamma_positive(double x) {
  if (x < 0x1p-60) return -log_f64(x);
  if (x > 0x1p+1014) {
    if (x > 2.556348e+305) return infinity_f64();
    const Pair l = product(sum(log_pair({x, 0}), -1.0), x);
    return l.high + l.low;
  }
  // gamma(x) = gamma(1 + x) / x
  if (x < 0.5) return x * (x - 1) * polynomial(x - 0.125, HEDDLE_CC_LGAMMA_1_F64) - log_f64(x);
  if (x < 0.75) {
    const Pair s = sum(negative(log_pair({x, 0})), x * (x - 1) * polynomial(x - 1, HEDDLE_CC_LGAMMA_2_F64));
    return s.high + s.low;
  }
  if (x < 1.5) return (x - 1) * (x - 2) * polynomial(x - 1.125, HEDDLE_CC_LGAMMA_1_F64);
  if (x <= 2.5) return (x - 1) * (x - 2) * polynomial(x - 2, HEDDLE_CC_LGAMMA_2_F64);
  Pair end;
  const Pair factors = rising({x, 0}, end);
  Pair l = stirling(end);
  if (factors.high != 1) l = sum(l, negative(log_pair(factors)));
  return l.high + l.low;
}
HEDDLE_CC_FUNCTION double lgamma_f64(double x) {
  if (not_a_number(x)) return x;
  if (infinite(x)) return infinity_f64();
  if (x > 0) return lgamma_positive(x);
  if (__builtin_trunc(x) == x) return infinity_f64();
  if (x > -0x1p-60) return -log_f64(-x);
  // log(pi / |sin(pi x)|) - log gamma(1 - x)
  Pair end;
  const Pair above = sum(1.0, -x);
  const Pair factors = rising(above, end);
  const Pair g = sum(stirling(end), negative(log_pair(factors)));
  int quadrant;
  const Pair r = reduce_half_turns(x, quadrant);
  const Pair sine = {__builtin_fabs(sin_of(r, quadrant)), 0};
  const Pair l =
      log_pair(quotient(Pair{3.141592653589793, 1.2246467991473532e-16}, product(sine, Pair{1, 0})));
  const Pair s = sum(l, negative(g));
  return s.high + s.low;
}

/// Computes the square root of a sum of squares, scaled so that no square overflows.
struct Length {
  double largest = 0;
  HEDDLE_CC_FUNCTION_MEMBER void see(double x) {
    const double size = __builtin_fabs(x);
    if (size > largest || not_a_number(size)) largest = not_a_number(largest) ? largest : size;
  }
  HEDDLE_CC_FUNCTION_MEMBER double down() const {
    return largest > 0x1p+400 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p+600 : 1;
  }
};
HEDDLE_CC_FUNCTION Pair squares(double) { return {0, 0}; }
template <class... More>
HEDDLE_CC_FUNCTION Pair squares(double scale, double x, More... more) {
  const double y = x * scale;
  return sum(squares(scale, more...), product(y, y));
}
template <class... Numbers>
HEDDLE_CC_FUNCTION double length(Numbers... x) {
  Length l;
  (void)(int[]){(l.see(x), 0)...};
  bool far = false;
  (void)(int[]){(far = far || infinite(x), 0)...};
  if (far) return infinity_f64();
  if (l.largest == 0 || not_a_number(l.largest)) return l.largest;
  const double down = l.down();
  const Pair root = square_root(squares(down, x...));
  return (root.high + root.low) / down;
}
template <class... Numbers>
HEDDLE_CC_FUNCTION double inverse_length(Numbers... x) {
  Length l;
  (void)(int[]){(l.see(x), 0)...};
  bool far = false;
  (void)(int[]){(far = far || infinite(x), 0)...};
  if (far) return 0;
  if (l.largest == 0) return infinity_f64();
  if (not_a_number(l.largest)) return l.largest;
  const double down = l.down();
  const Pair inverse = quotient(Pair{1, 0}, square_root(squares(down, x...)));
  return (inverse.high + inverse.low) * down;
}
HEDDLE_CC_FUNCTION double rsqrt_f64(double x) {
  if (x == 0) return __builtin_copysign(infinity_f64(), x);
  if (!(x > 0)) return nan_f64();
  if (infinite(x)) return 0;
  const bool tiny = x < 0x1p-1000;
  const Pair inverse = quotient(Pair{1, 0}, square_root({tiny ? x * 0x1p+100 : x, 0}));
  return (inverse.high + inverse.low) * (tiny ? 0x1p+50 : 1);
}

}  // namespace heddle_cc
