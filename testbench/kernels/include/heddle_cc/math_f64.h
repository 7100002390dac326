// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of double: exponentials, logarithms, powers, hyperbolic functions and roots.
//
// The required accuracy is that of the tables in the CUDA C++ Programming Guide ("Mathematical Functions").
// Differences of near numbers, and exponents of powers, are computed as numbers of two doubles.
#pragma once

#include "base.h"
#include "coefficients.h"

namespace heddle_cc {

constexpr double kLog2E = 1.4426950408889634;
constexpr double kLn2High = 0.6931471805599453, kLn2Low = 2.3190468138462996e-17;

/// For x = n log 2 + r, returns e^r - 1 and sets n. |x| is at most 1500. A Pair is a sum of two doubles.
HEDDLE_CC_FUNCTION Pair exp_reduced(Pair x, int& n) {
  const double rounded = __builtin_rint(x.high * kLog2E);
  n = (int)rounded;
  Pair r = sum(product(rounded, -kLn2High), x.high);
  r = quick_sum(r.high, r.low + fused(rounded, -kLn2Low, x.low));
  // Computes r + r^2 / 2 + r^3 (...). r^2 is kept as a sum of two doubles, r^3 as only one double.
  const Pair square = product(r.high, r.high);
  const double tail = polynomial(r.high, HEDDLE_CC_EXP_TAIL_F64) * r.high * square.high;
  const Pair half = quick_sum(0.5 * square.high, fused(r.high, r.low, 0.5 * square.low));
  const Pair upper = sum(r, half);
  return sum(upper, tail);
}

/// Computes e^x: returns a Pair near 1, which the caller multiplies by 2^n.
HEDDLE_CC_FUNCTION Pair exp_pair(Pair x, int& n) { return sum(exp_reduced(x, n), 1.0); }

/// Returns e^x - 1, for |x| up to 60.
HEDDLE_CC_FUNCTION Pair expm1_pair(Pair x) {
  int n;
  const Pair e = exp_reduced(x, n);
  if (n == 0) return e;
  return sum(scaled(sum(e, 1.0), power_of_2_f64(n)), -1.0);
}

/// Returns e^x, where x is a sum of two doubles.
HEDDLE_CC_FUNCTION double exp_of(Pair x) {
  if (x.high > 710) return infinity_f64();
  if (x.high < -746) return 0;
  int n;
  const Pair e = exp_pair(x, n);
  return scaled(e.high + e.low, n);
}

/// Returns m in [sqrt(1/2), sqrt(2)) and sets n, so that x = m * 2^n. x is above 0 and finite.
HEDDLE_CC_FUNCTION double split(double x, int& n) {
  n = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p+54;
    n = -54;
  }
  const unsigned long long shifted = bits(x) - 0x3fe6a09e667f3bcdull;  // bits of sqrt(1/2)
  const int power = (int)((long long)shifted >> 52);
  n += power;
  return as_double(bits(x) - ((unsigned long long)power << 52));
}

/// Returns log(1 + f), for 1 + f in [sqrt(1/2), sqrt(2)] or slightly outside.
HEDDLE_CC_FUNCTION Pair log1p_reduced(Pair f) {
  const Pair s = quotient(f, sum(Pair{2, 0}, f));
  const Pair z = product(s, s);
  // log(1 + f) = 2 s + s^3 (2/3 + z P(z)). The constant 2/3 and its products are sums of two doubles.
  const double inner = polynomial(z.high, HEDDLE_CC_LOG_TAIL_F64);
  const Pair factor = sum(Pair{0.6666666666666666, 3.700743415417188e-17}, product(inner, z.high));
  const Pair cube = product(product(s, z), factor);
  return sum(Pair{2 * s.high, 2 * s.low}, cube);
}

/// Returns log x for x above 0, where x and the result are sums of two doubles.
HEDDLE_CC_FUNCTION Pair log_pair(Pair x) {
  int n;
  const double m = split(x.high, n);
  // Scale the low double in two steps, because 2^-n may not be a normal number.
  const double rest = scaled(x.low, -n);
  const Pair f = sum(Pair{m - 1, 0}, rest);
  const Pair l = log1p_reduced(f);
  if (n == 0) return l;
  const Pair whole = product(Pair{kLn2High, kLn2Low}, (double)n);
  return sum(whole, l);
}

HEDDLE_CC_FUNCTION double exp_f64(double x) {
  if (!(x <= 709.79)) return not_a_number(x) ? x : infinity_f64();
  if (x < -745.2) return 0;
  const double n = __builtin_rint(x * kLog2E);
  const double r = fused(n, -kLn2Low, fused(n, -kLn2High, x));
  const double e = fused(polynomial(r, HEDDLE_CC_EXP_F64) * r, r, r) + 1;
  return scaled(e, (int)n);
}

HEDDLE_CC_FUNCTION double expm1_f64(double x) {
  if (!(x <= 709.79)) return not_a_number(x) ? x : infinity_f64();
  if (x > 60) return exp_f64(x);
  if (x < -60) return -1;
  if (__builtin_fabs(x) < 0x1p-60) return x;
  const Pair e = expm1_pair({x, 0});
  return e.high + e.low;
}

HEDDLE_CC_FUNCTION double exp2_f64(double x) {
  if (!(x < 1024)) return not_a_number(x) ? x : infinity_f64();
  if (x < -1075) return 0;
  const double n = __builtin_rint(x);
  const Pair r = product(Pair{kLn2High, kLn2Low}, x - n);
  const double e = fused(polynomial(r.high, HEDDLE_CC_EXP_F64) * r.high, r.high, r.low) + r.high;
  return scaled(e + 1, (int)n);
}

HEDDLE_CC_FUNCTION double exp10_f64(double x) {
  if (!(x < 308.3)) return not_a_number(x) ? x : infinity_f64();
  if (x < -323.7) return 0;
  return exp_of(product(Pair{2.302585092994046, -2.1707562233822494e-16}, x));
}

HEDDLE_CC_FUNCTION double log_f64(double x) {
  if (!(x > 0)) return x == 0 ? -infinity_f64() : nan_f64();
  if (infinite(x)) return x;
  int n;
  const double f = split(x, n) - 1;
  const double divisor = 2 + f;
  const double s = f / divisor;
  const double divisor_rest = f - (divisor - 2);
  const double s_rest = fused(-s, divisor_rest, fused(-s, divisor, f)) / divisor;
  const double z = s * s;
  const double tail = fused(polynomial(z, HEDDLE_CC_LOG_F64) * z, s, 2 * s_rest);
  const double power = (double)n;
  const Pair upper =
      sum(power * 0x1.62e42fefap-1, 2 * s);  // 35 digits of log 2, so that the product is exact
  return upper.high + (fused(power, 0x1.cf79abc9e3b3ap-40, tail) + upper.low);
}

HEDDLE_CC_FUNCTION double log_times(double x, Pair factor) {
  if (!(x > 0)) return x == 0 ? -infinity_f64() : nan_f64();
  if (infinite(x)) return x;
  const Pair l = product(log_pair({x, 0}), factor);
  return l.high + l.low;
}
HEDDLE_CC_FUNCTION double log2_f64(double x) {
  if (!(x > 0)) return x == 0 ? -infinity_f64() : nan_f64();
  if (infinite(x)) return x;
  int n;
  const double f = split(x, n) - 1;
  const Pair l = product(log1p_reduced({f, 0}), Pair{1.4426950408889634, 2.0355273740931033e-17});
  const Pair s = sum(Pair{(double)n, 0}, l);
  return s.high + s.low;
}
HEDDLE_CC_FUNCTION double log10_f64(double x) {
  return log_times(x, {0.4342944819032518, 1.098319650216765e-17});
}

HEDDLE_CC_FUNCTION double log1p_f64(double x) {
  if (!(x > -1)) return x == -1 ? -infinity_f64() : nan_f64();
  if (infinite(x) || __builtin_fabs(x) < 0x1p-60) return x;
  Pair l;
  if (x > -0.29 && x < 0.41)
    l = log1p_reduced({x, 0});
  else
    l = log_pair(sum(1.0, x));
  return l.high + l.low;
}

/// Returns |x|^y for x neither 0 nor infinite.
HEDDLE_CC_FUNCTION double power_of(double x, double y) {
  const Pair l = log_pair({__builtin_fabs(x), 0});
  if (__builtin_fabs(y) > 1e300)
    return (l.high > 0) == (y > 0) && l.high != 0 ? infinity_f64() : l.high == 0 ? 1 : 0;
  if (__builtin_fabs(l.high * y) > 800) return l.high * y > 0 ? infinity_f64() : 0;
  if (__builtin_fabs(y) < 1e-300) return 1;
  return exp_of(product(l, y));
}

HEDDLE_CC_FUNCTION double pow_f64(double x, double y) {
  if (x == 1 || y == 0) return 1;
  if (not_a_number(x) || not_a_number(y)) return x + y;
  const double size = __builtin_fabs(y);
  const bool whole = size >= 0x1p+52 || __builtin_trunc(size) == size;
  const bool odd = size < 0x1p+53 && whole && __builtin_trunc(size * 0.5) * 2 != size;
  double result;
  if (x == 0 || infinite(x)) {
    result = (x == 0) == (y > 0) ? 0 : infinity_f64();
  } else if (infinite(y)) {
    const double base = __builtin_fabs(x);
    return base == 1 ? 1 : (base > 1) == (y > 0) ? infinity_f64() : 0;
  } else {
    if (x < 0 && !whole) return nan_f64();
    result = power_of(x, y);
  }
  return odd ? __builtin_copysign(result, x) : result;
}

/// Returns e^x / 2, for x of at least 1.
HEDDLE_CC_FUNCTION double exp_half(double x) {
  if (x > 711) return infinity_f64();
  int n;
  const Pair e = exp_pair({x, 0}, n);
  return scaled(e.high + e.low, n - 1);
}
HEDDLE_CC_FUNCTION double sinh_f64(double x) {
  const double size = __builtin_fabs(x);
  if (size < 0x1p-28 || not_a_number(x)) return x;
  double result;
  if (size < 1) {
    const double z = x * x;
    return fused(polynomial(z, HEDDLE_CC_SINH_F64) * z, x, x);
  } else if (size < 40) {
    int n;
    const Pair e = exp_pair({size, 0}, n);
    const Pair grown = scaled(e, power_of_2_f64(n - 1));
    const Pair s = sum(grown, -0.25 / grown.high);
    result = s.high + s.low;
  } else {
    result = exp_half(size);
  }
  return __builtin_copysign(result, x);
}

HEDDLE_CC_FUNCTION double cosh_f64(double x) {
  const double size = __builtin_fabs(x);
  if (not_a_number(x)) return x;
  if (size < 40) {
    int n;
    const Pair e = exp_pair({size, 0}, n);
    const Pair grown = scaled(e, power_of_2_f64(n - 1));
    const Pair s = sum(grown, 0.25 / grown.high);
    return s.high + s.low;
  }
  return exp_half(size);
}

HEDDLE_CC_FUNCTION double tanh_f64(double x) {
  const double size = __builtin_fabs(x);
  if (size < 0x1p-28 || not_a_number(x)) return x;
  if (size > 22) return __builtin_copysign(1.0, x);
  const Pair e = expm1_pair({2 * size, 0});
  const Pair t = quotient(e, sum(e, 2.0));
  return __builtin_copysign(t.high + t.low, x);
}

HEDDLE_CC_FUNCTION double asinh_f64(double x) {
  const double size = __builtin_fabs(x);
  if (size < 0x1p-28 || !(size < infinity_f64())) return x;
  Pair l;
  if (size > 0x1p+30) {
    l = sum(log_pair({size, 0}), Pair{kLn2High, kLn2Low});
  } else {
    const Pair square = product(size, size);
    const Pair root = square_root(sum(square, 1.0));
    // x + sqrt(x^2 + 1) - 1 = x + x^2 / (sqrt(x^2 + 1) + 1)
    const Pair f = sum(quotient(square, sum(root, 1.0)), size);
    l = f.high < 0.41 ? log1p_reduced(f) : log_pair(sum(f, 1.0));
  }
  return __builtin_copysign(l.high + l.low, x);
}

HEDDLE_CC_FUNCTION double acosh_f64(double x) {
  if (!(x >= 1)) return nan_f64();
  if (infinite(x)) return x;
  Pair l;
  if (x > 0x1p+30) {
    l = sum(log_pair({x, 0}), Pair{kLn2High, kLn2Low});
  } else {
    const double t = x - 1;
    const Pair f = sum(square_root(product(sum(Pair{t, 0}, 2.0), t)), t);
    l = f.high < 0.41 ? log1p_reduced(f) : log_pair(sum(f, 1.0));
  }
  return l.high + l.low;
}

HEDDLE_CC_FUNCTION double atanh_f64(double x) {
  const double size = __builtin_fabs(x);
  if (size < 0x1p-28) return x;
  if (!(size < 1)) return size == 1 ? __builtin_copysign(infinity_f64(), x) : nan_f64();
  const Pair f = quotient(Pair{2 * size, 0}, sum(1.0, -size));
  const Pair l = f.high < 0.41 ? log1p_reduced(f) : log_pair(sum(f, 1.0));
  return __builtin_copysign(0.5 * (l.high + l.low), x);
}

/// Returns the cube root of x in [1, 8), as a sum of two doubles.
HEDDLE_CC_FUNCTION Pair cube_root(double x) {
  double root =
      polynomial(x, 0.7, 0.3, -0.02);  // accurate to a quarter; Newton's method converges from there
  for (int step = 0; step < 4; ++step) root = root - (root - x / (root * root)) * (1.0 / 3);
  const Pair square = product(root, root);
  const Pair rest = sum(negative(product(square, root)), x);
  return quick_sum(root, rest.high / (3 * square.high));
}
HEDDLE_CC_FUNCTION double cube_scale(double x, double& reduced) {
  const double size = __builtin_fabs(x);
  const double lifted = size < 0x1p-1000 ? size * 0x1p+54 : size;
  const int power = (int)(bits(lifted) >> 52) - 1023;
  const int third = (power + 1200) / 3 - 400;  // rounded down
  reduced = lifted * power_of_2_f64(-3 * third / 2) * power_of_2_f64(-3 * third - -3 * third / 2);
  return power_of_2_f64(size < 0x1p-1000 ? third - 18 : third);
}
HEDDLE_CC_FUNCTION double cbrt_f64(double x) {
  if (x == 0 || !(__builtin_fabs(x) < infinity_f64())) return x;
  double reduced;
  const double scale = cube_scale(x, reduced);
  const Pair root = cube_root(reduced);
  return __builtin_copysign((root.high + root.low) * scale, x);
}
HEDDLE_CC_FUNCTION double rcbrt_f64(double x) {
  if (x == 0) return __builtin_copysign(infinity_f64(), x);
  if (infinite(x)) return __builtin_copysign(0.0, x);
  if (not_a_number(x)) return x;
  double reduced;
  const double scale = cube_scale(x, reduced);
  const Pair root = quotient(Pair{1, 0}, cube_root(reduced));
  return __builtin_copysign((root.high + root.low) / scale, x);
}

}  // namespace heddle_cc
