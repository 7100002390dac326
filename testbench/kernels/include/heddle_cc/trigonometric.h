// SPDX-License-Identifier: Apache-2.0
// Sine, cosine, tangent and their inverses, of float and double.
//
// x is reduced to [-pi/4, pi/4] by subtracting n * pi/2 in three parts. The first subtraction is exact (W.
// Cody and W. Waite, Software Manual for the Elementary Functions, 1980). If |x| >= 2^20, x is multiplied by
// those bits of 2/pi that matter for x (M. Payne and R. Hanek, SIGNUM Newsletter 18, 1983).
#pragma once

#include "base.h"
#include "coefficients.h"

namespace heddle_cc {

static __device__ const unsigned long long two_over_pi[21] = {HEDDLE_CC_TWO_OVER_PI};

constexpr double kHalfPiHigh = 1.5707963267948966, kHalfPiLow = 6.123233995736766e-17,
                 kHalfPiRest = -1.4973849048591833e-33;

/// Returns 64 bits of the table two_over_pi, from bit `first` on.
HEDDLE_CC_FUNCTION unsigned long long two_over_pi_bits(int first) {
  const int word = first >> 6, shift = first & 63;
  const unsigned long long head = two_over_pi[word];
  return shift == 0 ? head : head << shift | two_over_pi[word + 1] >> (64 - shift);
}

HEDDLE_CC_FUNCTION int leading_zeros(unsigned long long a) { return a == 0 ? 64 : __builtin_clzll(a); }

/// Subtracts the nearest multiple of pi/2 from x, for 2^20 <= |x| < infinity.
static __device__ __noinline__ Pair reduce_large(double x, int& quadrant) {
  const unsigned long long pattern = bits(x) & 0x7fffffffffffffffull;
  const unsigned long long m = (pattern & 0xfffffffffffffull) | 0x10000000000000ull;
  // Bits of two_over_pi before bit `first` only add whole turns (2 pi). two_over_pi begins with 64 zeros.
  const int first = (int)(pattern >> 52) - 1075 - 2 + 64;
  const unsigned long long v0 = two_over_pi_bits(first), v1 = two_over_pi_bits(first + 64),
                           v2 = two_over_pi_bits(first + 128);
  // |x| modulo 4 quarter turns: the low 192 bits of m * (v0, v1, v2), with 2 bits before the binary point
  const unsigned long long p1 = m * v1, carry2 = high_product(m, v2);
  unsigned long long c = m * v2, b = p1 + carry2;
  unsigned long long a = m * v0 + high_product(m, v1) + (b < p1);
  int quarter = (int)(a >> 62);
  a = a << 2 | b >> 62;
  b = b << 2 | c >> 62;
  c <<= 2;
  const bool past_half = (a >> 63) != 0;
  if (past_half) {
    ++quarter;
    c = ~c;
    b = ~b;
    a = ~a;
  }
  int shift = leading_zeros(a);
  if (shift == 64) {
    a = b;
    b = c;
    c = 0;
    shift += leading_zeros(a);
  }
  const int part = shift & 63;
  if (part != 0) {
    a = a << part | b >> (64 - part);
    b = b << part | c >> (64 - part);
  }
  const double unit = power_of_2_f64(-shift);
  const double high = (double)(a >> 11) * 0x1p-53 * unit;
  const double low = (double)((a & 0x7ff) << 53 | b >> 11) * 0x1p-117 * unit;
  Pair r = product(quick_sum(high, low), Pair{kHalfPiHigh, kHalfPiLow});
  if (past_half != (x < 0)) r = negative(r);
  quadrant = x < 0 ? -quarter : quarter;
  return r;
}

HEDDLE_CC_FUNCTION Pair reduce(double x, int& quadrant) {
  if (__builtin_fabs(x) >= 0x1p+20) return reduce_large(x, quadrant);
  const double n = __builtin_rint(x * 0.6366197723675814);
  quadrant = (int)n;
  const double r = fused(-n, kHalfPiHigh, x);
  const Pair second = product(-n, kHalfPiLow);
  const Pair s = sum(r, second.high);
  return quick_sum(s.high, fused(-n, kHalfPiRest, s.low + second.low));
}

HEDDLE_CC_FUNCTION double sin_reduced(Pair r) {
  const double z = r.high * r.high;
  const double rest = fused(-0.5 * z, r.low, r.low);
  return r.high + fused(polynomial(z, HEDDLE_CC_SIN_F64) * z, r.high, rest);
}
HEDDLE_CC_FUNCTION double cos_reduced(Pair r) {
  const double z = r.high * r.high;
  const double half = 0.5 * z;
  const double upper = 1 - half;
  const double rest = (1 - upper) - half;
  return upper + (rest + fused(polynomial(z, HEDDLE_CC_COS_F64) * z, z, -r.high * r.low));
}
HEDDLE_CC_FUNCTION double sin_of(Pair r, int quadrant) {
  const double value = quadrant & 1 ? cos_reduced(r) : sin_reduced(r);
  return quadrant & 2 ? -value : value;
}

HEDDLE_CC_FUNCTION double sin_f64(double x) {
  if (!(__builtin_fabs(x) < infinity_f64())) return nan_f64();
  if (x == 0) return x;
  int quadrant;
  const Pair r = reduce(x, quadrant);
  return sin_of(r, quadrant);
}
HEDDLE_CC_FUNCTION double cos_f64(double x) {
  if (!(__builtin_fabs(x) < infinity_f64())) return nan_f64();
  int quadrant;
  const Pair r = reduce(x, quadrant);
  return sin_of(r, quadrant + 1);
}
HEDDLE_CC_FUNCTION void sincos_f64(double x, double* sine, double* cosine) {
  if (!(__builtin_fabs(x) < infinity_f64())) {
    *sine = *cosine = nan_f64();
    return;
  }
  int quadrant;
  const Pair r = reduce(x, quadrant);
  const double s = sin_reduced(r), c = cos_reduced(r);
  const double first = quadrant & 1 ? c : s, second = quadrant & 1 ? s : c;
  *sine = x == 0 ? x : quadrant & 2 ? -first : first;
  *cosine = (quadrant + 1) & 2 ? -second : second;
}
HEDDLE_CC_FUNCTION double tan_f64(double x) {
  if (!(__builtin_fabs(x) < infinity_f64())) return nan_f64();
  if (x == 0) return x;
  int quadrant;
  const Pair r = reduce(x, quadrant);
  // Compute sine and cosine as sums of two doubles.
  const double z = r.high * r.high, half = 0.5 * z, upper = 1 - half;
  const Pair s =
      quick_sum(r.high, fused(polynomial(z, HEDDLE_CC_SIN_F64) * z, r.high, fused(-half, r.low, r.low)));
  const double rest = (1 - upper) - half;
  const Pair c = quick_sum(upper, rest + fused(polynomial(z, HEDDLE_CC_COS_F64) * z, z, -r.high * r.low));
  const Pair top = quadrant & 1 ? negative(c) : s, bottom = quadrant & 1 ? s : c;
  const double t = top.high / bottom.high;
  return t + (fused(-t, bottom.high, top.high) + fused(-t, bottom.low, top.low)) / bottom.high;
}

/// For x = n / 2 + r / pi, returns r and sets `quadrant` to n.
HEDDLE_CC_FUNCTION Pair reduce_half_turns(double x, int& quadrant) {
  const double turn = x - 2 * __builtin_rint(0.5 * x);
  const double n = __builtin_rint(2 * turn);
  quadrant = (int)n;
  return product(Pair{2 * kHalfPiHigh, 2 * kHalfPiLow}, turn - 0.5 * n);
}
HEDDLE_CC_FUNCTION double sinpi_f64(double x) {
  if (!(__builtin_fabs(x) < infinity_f64())) return nan_f64();
  if (__builtin_trunc(x) == x) return __builtin_copysign(0.0, x);
  int quadrant;
  const Pair r = reduce_half_turns(x, quadrant);
  return sin_of(r, quadrant);
}
HEDDLE_CC_FUNCTION double cospi_f64(double x) {
  if (!(__builtin_fabs(x) < infinity_f64())) return nan_f64();
  int quadrant;
  const Pair r = reduce_half_turns(x, quadrant);
  const double value = sin_of(r, quadrant + 1);
  return value == 0 ? 0 : value;
}

/// Returns atan(numerator / denominator). Both are at least 0, not both 0, and not near overflow.
HEDDLE_CC_FUNCTION double atan_quotient(double numerator, double denominator) {
  double top = numerator, bottom = denominator, high = 0, low = 0;
  if (numerator > 2.414213562373095 * denominator) {
    top = -denominator;
    bottom = numerator;
    high = kHalfPiHigh;
    low = kHalfPiLow;
  } else if (numerator > 0.41421356237309503 * denominator) {
    top = numerator - denominator;
    bottom = numerator + denominator;
    high = 0.5 * kHalfPiHigh;
    low = 0.5 * kHalfPiLow;
  }
  const double t = top / bottom;
  const double z = t * t;
  return high + (fused(polynomial(z, HEDDLE_CC_ATAN_F64) * z, t, low) + t);
}
HEDDLE_CC_FUNCTION double atan_f64(double x) {
  if (not_a_number(x)) return x;
  const double size = __builtin_fabs(x);
  const double value = size > 0x1p+60 ? kHalfPiHigh : atan_quotient(size, 1);
  return __builtin_copysign(value, x);
}
HEDDLE_CC_FUNCTION double atan2_f64(double y, double x) {
  if (not_a_number(x) || not_a_number(y)) return x + y;
  double top = __builtin_fabs(y), bottom = __builtin_fabs(x);
  double angle;
  if (top == 0) {
    angle = 0;
  } else if (infinite(top) && infinite(bottom)) {
    angle = 0.5 * kHalfPiHigh;
  } else {
    if (top > 0x1p+1000 || bottom > 0x1p+1000) {
      top *= 0x1p-60;
      bottom *= 0x1p-60;
    } else if (top < 0x1p-960 && bottom < 0x1p-960) {
      top *= 0x1p+60;
      bottom *= 0x1p+60;
    }
    angle = infinite(top) || top > 0x1p+60 * bottom ? kHalfPiHigh
            : infinite(bottom)                      ? 0
                                                    : atan_quotient(top, bottom);
  }
  if (__builtin_signbit(x)) angle = 2 * kHalfPiHigh - (angle - 2 * kHalfPiLow);
  return __builtin_copysign(angle, y);
}

HEDDLE_CC_FUNCTION double asin_series(double x, double z) {
  return polynomial(z, HEDDLE_CC_ASIN_F64) * z * x;
}
HEDDLE_CC_FUNCTION double asin_f64(double x) {
  const double size = __builtin_fabs(x);
  if (!(size <= 1)) return nan_f64();
  if (size <= 0.5) return x + asin_series(x, x * x);
  // pi/2 - 2 asin(sqrt((1 - x) / 2)); the square root is a sum of two doubles.
  const double z = 0.5 * (1 - size);
  const Pair root = square_root({z, 0});
  const double s = asin_series(root.high, z) + root.low;
  const Pair upper = quick_sum(kHalfPiHigh, -2 * root.high);
  return __builtin_copysign(upper.high + (upper.low + fused(-2.0, s, kHalfPiLow)), x);
}
HEDDLE_CC_FUNCTION double acos_f64(double x) {
  const double size = __builtin_fabs(x);
  if (!(size <= 1)) return nan_f64();
  if (size <= 0.5) {
    const Pair upper = quick_sum(kHalfPiHigh, -x);
    return upper.high + (upper.low + (kHalfPiLow - asin_series(x, x * x)));
  }
  const double z = 0.5 * (1 - size);
  const Pair root = square_root({z, 0});
  const double s = asin_series(root.high, z) + root.low;
  if (x > 0) return 2 * (root.high + s);
  const Pair upper = quick_sum(2 * kHalfPiHigh, -2 * root.high);
  return upper.high + (upper.low + fused(-2.0, s, 2 * kHalfPiLow));
}

}  // namespace heddle_cc
