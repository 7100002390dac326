// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of float in float arithmetic, so that a kernel's mix of instructions resembles that
// of a GPU's library. ex2.approx is used where a GPU's library uses it.
#pragma once

#include "base.h"
#include "coefficients.h"
#include "trigonometric.h"

namespace heddle_cc {

constexpr float kHalfPiF1 = 1.57079637f, kHalfPiF2 = -4.371139e-8f, kHalfPiF3 = -1.7151245e-15f;
constexpr float kLn2F1 = 0.693147182f, kLn2F2 = -1.9046542e-9f;

/// Subtracts the nearest multiple of pi/2 from x, for 2^16 <= |x| < infinity. The quotient x / (pi/2) is
/// computed modulo 4, with 62 bits after the binary point.
static __device__ __noinline__ float reduce_large(float x, int& quadrant) {
  const unsigned pattern = bits(x) & 0x7fffffffu;
  const unsigned long long m = (pattern & 0x7fffffu) | 0x800000u;
  const int first = (int)(pattern >> 23) - 150 - 2 + 64;
  const unsigned long long v0 = two_over_pi_bits(first), v1 = two_over_pi_bits(first + 64) >> 32;
  const unsigned long long turn = m * v0 + (m * v1 >> 32);
  const long long part = (long long)(turn << 2);
  const int quarter = (int)(turn >> 62) + (part < 0);
  const double r = (double)part * 8.515303950216386e-20;  // pi / 2 / 2^64
  quadrant = x < 0 ? -quarter : quarter;
  return (float)(x < 0 ? -r : r);
}
HEDDLE_CC_FUNCTION float reduce(float x, int& quadrant) {
  if (__builtin_fabsf(x) >= 0x1p+16f) return reduce_large(x, quadrant);
  const float n = __builtin_rintf(x * 0.63661975f);
  quadrant = (int)n;
  return fused(-n, kHalfPiF3, fused(-n, kHalfPiF2, fused(-n, kHalfPiF1, x)));
}
HEDDLE_CC_FUNCTION float sin_reduced(float r) {
  const float z = r * r;
  return fused(polynomial(z, HEDDLE_CC_SIN_F32) * z, r, r);
}
HEDDLE_CC_FUNCTION float cos_reduced(float r) {
  const float z = r * r;
  return fused(z, fused(polynomial(z, HEDDLE_CC_COS_F32), z, -0.5f), 1.0f);
}
HEDDLE_CC_FUNCTION float sin_of(float r, int quadrant) {
  const float value = quadrant & 1 ? cos_reduced(r) : sin_reduced(r);
  return quadrant & 2 ? -value : value;
}
HEDDLE_CC_FUNCTION float sin_f32(float x) {
  if (!(__builtin_fabsf(x) < infinity_f32())) return nan_f32();
  int quadrant;
  const float r = reduce(x, quadrant);
  return x == 0 ? x : sin_of(r, quadrant);
}
HEDDLE_CC_FUNCTION float cos_f32(float x) {
  if (!(__builtin_fabsf(x) < infinity_f32())) return nan_f32();
  int quadrant;
  const float r = reduce(x, quadrant);
  return sin_of(r, quadrant + 1);
}
HEDDLE_CC_FUNCTION void sincos_f32(float x, float* sine, float* cosine) {
  if (!(__builtin_fabsf(x) < infinity_f32())) {
    *sine = *cosine = nan_f32();
    return;
  }
  int quadrant;
  const float r = reduce(x, quadrant);
  *sine = x == 0 ? x : sin_of(r, quadrant);
  *cosine = sin_of(r, quadrant + 1);
}
HEDDLE_CC_FUNCTION float tan_f32(float x) {
  if (!(__builtin_fabsf(x) < infinity_f32())) return nan_f32();
  int quadrant;
  const float r = reduce(x, quadrant);
  const float z = r * r;
  const float t = fused(polynomial(z, HEDDLE_CC_TAN_F32) * z, r, r);
  return x == 0 ? x : quadrant & 1 ? -1.0f / t : t;
}
/// For x = n / 2 + t, returns pi t as a sum of two floats, and sets `quadrant` to n.
HEDDLE_CC_FUNCTION PairF reduce_half_turns(float x, int& quadrant) {
  const float turn = x - 2 * __builtin_rintf(0.5f * x);
  const float n = __builtin_rintf(2 * turn);
  quadrant = (int)n;
  const float t = turn - 0.5f * n;
  return product(PairF{2 * kHalfPiF1, 2 * kHalfPiF2}, t);
}
HEDDLE_CC_FUNCTION float sin_of(PairF r, int quadrant) {
  const float z = r.high * r.high;
  const float cube = z * r.high;
  const float sine = r.high + fused(polynomial(z, HEDDLE_CC_SIN_F32), cube, r.low);
  const float half = 0.5f * z, upper = 1 - half, rest = (1 - upper) - half;
  const float square = z * z;
  const float cosine = upper + (rest + fused(polynomial(z, HEDDLE_CC_COS_F32), square, -r.high * r.low));
  const float value = quadrant & 1 ? cosine : sine;
  return quadrant & 2 ? -value : value;
}
HEDDLE_CC_FUNCTION float sinpi_f32(float x) {
  if (!(__builtin_fabsf(x) < infinity_f32())) return nan_f32();
  if (__builtin_truncf(x) == x) return __builtin_copysignf(0.0f, x);
  int quadrant;
  const PairF r = reduce_half_turns(x, quadrant);
  return sin_of(r, quadrant);
}
HEDDLE_CC_FUNCTION float cospi_f32(float x) {
  if (!(__builtin_fabsf(x) < infinity_f32())) return nan_f32();
  int quadrant;
  const PairF r = reduce_half_turns(x, quadrant);
  const float value = sin_of(r, quadrant + 1);
  return value == 0 ? 0 : value;
}

HEDDLE_CC_FUNCTION float atan_unit(float t) {
  const float z = t * t;
  return fused(polynomial(z, HEDDLE_CC_ATAN_F32) * z, t, t);
}
HEDDLE_CC_FUNCTION float atan_f32(float x) {
  const float size = __builtin_fabsf(x);
  const float a = atan_unit(size > 1 ? 1 / size : size);
  const float value = size > 1 ? kHalfPiF1 - (a - kHalfPiF2) : a;
  return not_a_number(x) ? x : __builtin_copysignf(value, x);
}
HEDDLE_CC_FUNCTION float atan2_f32(float y, float x) {
  if (not_a_number(x) || not_a_number(y)) return x + y;
  float top = __builtin_fabsf(y), bottom = __builtin_fabsf(x);
  if (infinite(top) && infinite(bottom)) top = bottom = 1;
  const bool steep = top > bottom;
  const float large = steep ? top : bottom, small = steep ? bottom : top;
  const float scale = large > 0x1p+120f ? 0x1p-20f : large < 0x1p-100f ? 0x1p+24f : 1.0f;
  const float t = large == 0 ? 0 : infinite(large) ? 0 : (small * scale) / (large * scale);
  float angle = atan_unit(t);
  if (steep) angle = kHalfPiF1 - (angle - kHalfPiF2);
  if (__builtin_signbit(x)) angle = 2 * kHalfPiF1 - (angle - 2 * kHalfPiF2);
  return __builtin_copysignf(angle, y);
}
HEDDLE_CC_FUNCTION float asin_f32(float x) {
  const float size = __builtin_fabsf(x);
  if (!(size <= 1)) return nan_f32();
  const bool far = size > 0.5f;
  const float z = far ? 0.5f * (1 - size) : x * x;
  const float s = far ? __builtin_sqrtf(z) : size;
  const float tail = polynomial(z, HEDDLE_CC_ASIN_F32) * z * s;
  if (!far) return x + __builtin_copysignf(tail, x);
  const float rest = s == 0 ? 0 : fused(-s, s, z) * 0.5f / s;  // rounding error of the square root
  const PairF upper = quick_sum(kHalfPiF1, -2 * s);
  const float value = upper.high + (upper.low + fused(-2.0f, tail + rest, kHalfPiF2));
  return __builtin_copysignf(value, x);
}
HEDDLE_CC_FUNCTION float acos_f32(float x) {
  const float size = __builtin_fabsf(x);
  if (!(size <= 1)) return nan_f32();
  const bool far = size > 0.5f;
  const float z = far ? 0.5f * (1 - size) : x * x;
  const float s = far ? __builtin_sqrtf(z) : x;
  const float a = fused(polynomial(z, HEDDLE_CC_ASIN_F32) * z, s, s);
  if (!far) return kHalfPiF1 - (a - kHalfPiF2);
  return x > 0 ? 2 * a : 2 * kHalfPiF1 - fused(2.0f, a, -2 * kHalfPiF2);
}

/// Writes e^x as 2^n * 2^t: returns t and sets n.
HEDDLE_CC_FUNCTION float exp_reduced(float x, int& n) {
  const float rounded = __builtin_rintf(x * 1.44269502f);
  n = (int)rounded;
  return fused(rounded, -kLn2F2, fused(rounded, -kLn2F1, x)) * 1.44269502f;
}
HEDDLE_CC_FUNCTION float exp_f32(float x) {
  if (!(x <= 88.73f)) return not_a_number(x) ? x : infinity_f32();
  if (x < -103.98f) return 0;
  int n;
  const float t = exp_reduced(x, n);
  return scaled(approximate_exp2(t), n);
}
HEDDLE_CC_FUNCTION float exp2_f32(float x) {
  if (!(x < 128)) return not_a_number(x) ? x : infinity_f32();
  if (x < -150) return 0;
  const float n = __builtin_rintf(x);
  return scaled(approximate_exp2(x - n), (int)n);
}
HEDDLE_CC_FUNCTION float exp10_f32(float x) {
  if (!(x < 38.54f)) return not_a_number(x) ? x : infinity_f32();
  if (x < -45.2f) return 0;
  const float n = __builtin_rintf(x * 3.32192802f);
  const float rest = fused(n, 1.4320989e-8f, fused(n, -0.30103001f, x));
  return scaled(approximate_exp2(rest * 3.32192802f), (int)n);
}
/// Returns e^r - 1 for |r| up to 1/2.
HEDDLE_CC_FUNCTION float expm1_reduced(float r) { return fused(polynomial(r, HEDDLE_CC_EXP_F32) * r, r, r); }
HEDDLE_CC_FUNCTION float expm1_f32(float x) {
  if (!(x <= 88.73f)) return not_a_number(x) ? x : infinity_f32();
  if (x < -18) return -1;
  const float n = __builtin_rintf(x * 1.44269502f);
  if (__builtin_fabsf(x) <= 0.5f) return x == 0 ? x : expm1_reduced(x);
  const float r = fused(n, -kLn2F2, fused(n, -kLn2F1, x));
  const float e = expm1_reduced(r);
  // The result is 2^n * e + (2^n - 1), where e = exp(r) - 1. Compute half of it, because 2^n may overflow.
  const float power = power_of_2_f32((int)n - 1);
  const PairF whole = sum(power, -0.5f);
  return 2 * (whole.high + fused(power, e, whole.low));
}

/// Returns m - 1 and sets n, so that x = m * 2^n with m in [2/3, 4/3).
HEDDLE_CC_FUNCTION float split(float x, float& n) {
  const bool tiny = x < 0x1p-126f;
  const float lifted = tiny ? x * 0x1p+24f : x;
  const int shifted = (int)(bits(lifted) - 0x3f2aaaabu) & (int)0xff800000u;
  n = (float)(shifted >> 23) - (tiny ? 24 : 0);
  return as_float(bits(lifted) - (unsigned)shifted) - 1;
}
/// Returns log(1 + f) - f, for f from split().
HEDDLE_CC_FUNCTION float log1p_tail(float f) {
  return fused(polynomial(f, HEDDLE_CC_LOG1P_F32), f, -0.5f) * f * f;
}
HEDDLE_CC_FUNCTION float log_f32(float x) {
  if (!(x > 0)) return x == 0 ? -infinity_f32() : nan_f32();
  if (infinite(x)) return x;
  float n;
  const float f = split(x, n);
  const PairF upper = sum(n * 0.693145752f, f);  // 16 digits of log 2, so that the product is exact
  return upper.high + (fused(n, 1.42860682e-6f, log1p_tail(f)) + upper.low);
}
/// Returns the product of log(x) and a constant factor. The factor is `high` + `low`. The product of the
/// factor and log 2 is `octave_high` + `octave_low`.
HEDDLE_CC_FUNCTION float log_times(float x, float high, float low, float octave_high, float octave_low) {
  if (!(x > 0)) return x == 0 ? -infinity_f32() : nan_f32();
  if (infinite(x)) return x;
  float n;
  const float f = split(x, n);
  const PairF first = product(f, high);
  const PairF upper = sum(n * octave_high, first.high);
  const float rest = fused(f, low, first.low) + fused(n, octave_low, upper.low);
  return upper.high + fused(log1p_tail(f), high, rest);
}
HEDDLE_CC_FUNCTION float log2_f32(float x) { return log_times(x, 1.44269502f, 1.9259630e-8f, 1, 0); }
HEDDLE_CC_FUNCTION float log10_f32(float x) {
  return log_times(x, 0.434294492f, -1.010305e-8f, 0.301025391f, 4.60503898e-6f);
}
HEDDLE_CC_FUNCTION float log1p_f32(float x) {
  if (!(x > -1)) return x == -1 ? -infinity_f32() : nan_f32();
  if (infinite(x) || x == 0) return x;
  const PairF y = sum(1.0f, x);
  float n;
  const float f = split(y.high, n);
  const float rest = n == 0 ? y.low : y.low / y.high;
  const float part = n == 0 ? x : f;  // for n = 0, f plus the rest is exactly x
  const PairF upper = sum(n * 0.693145752f, part);
  const float tail = log1p_tail(part) + (n == 0 ? 0 : rest);
  return upper.high + (fused(n, 1.42860682e-6f, tail) + upper.low);
}

HEDDLE_CC_FUNCTION PairF log2_pair(float x) {
  float n;
  const bool tiny = x < 0x1p-126f;
  const float lifted = tiny ? x * 0x1p+24f : x;
  const int shifted = (int)(bits(lifted) - 0x3f3504f3u) & (int)0xff800000u;  // bits of sqrt(1/2)
  n = (float)(shifted >> 23) - (tiny ? 24 : 0);
  const float f = as_float(bits(lifted) - (unsigned)shifted) - 1;
  const PairF s = quotient(PairF{f, 0}, sum(2.0f, f));
  const float z = s.high * s.high;
  const PairF ln = quick_sum(2 * s.high, fused(polynomial(z, HEDDLE_CC_LOG_F32) * z, s.high, 2 * s.low));
  return sum(product(ln, PairF{1.44269502f, 1.9259630e-8f}), n);
}
HEDDLE_CC_FUNCTION float pow_f32(float x, float y) {
  if (x == 1 || y == 0) return 1;
  if (not_a_number(x) || not_a_number(y)) return x + y;
  const float base = __builtin_fabsf(x), size = __builtin_fabsf(y);
  const bool whole = __builtin_truncf(size) == size;
  const bool odd = size < 0x1p+24f && whole && __builtin_truncf(size * 0.5f) * 2 != size;
  float result;
  if (x == 0 || infinite(x)) {
    result = (x == 0) == (y > 0) ? 0 : infinity_f32();
  } else if (infinite(y)) {
    return base == 1 ? 1 : (base > 1) == (y > 0) ? infinity_f32() : 0;
  } else {
    if (x < 0 && !whole) return nan_f32();
    const PairF l = log2_pair(base);
    const float rough = l.high * y;
    if (!(rough < 129)) {
      result = infinity_f32();
    } else if (rough < -151) {
      result = 0;
    } else {
      const PairF p = product(l, y);
      const float n = __builtin_rintf(p.high);
      const float t = (p.high - n) + p.low;
      result = scaled(approximate_exp2(size < 0x1p-100f ? 0 : t), (int)n);
    }
  }
  return odd ? __builtin_copysignf(result, x) : result;
}

/// Returns e^x / 2, for x of at least 0.
HEDDLE_CC_FUNCTION float exp_half(float x) {
  if (!(x < 90)) return x;  // infinite or NaN
  int n;
  const float t = exp_reduced(x, n);
  return scaled(approximate_exp2(t), n - 1);
}
HEDDLE_CC_FUNCTION float sinh_f32(float x) {
  const float size = __builtin_fabsf(x);
  const float z = x * x;
  if (size < 1) return fused(polynomial(z, HEDDLE_CC_SINH_F32) * z, x, x);
  const float e = exp_half(size < 90 ? size : size * infinity_f32());
  return __builtin_copysignf(e - 0.25f / e, x);
}
HEDDLE_CC_FUNCTION float cosh_f32(float x) {
  const float size = __builtin_fabsf(x);
  const float e = exp_half(size < 90 ? size : size * infinity_f32());
  return e + 0.25f / e;
}
HEDDLE_CC_FUNCTION float tanh_f32(float x) {
  const float size = __builtin_fabsf(x);
  const float z = x * x;
  if (size < 0.55f) return fused(polynomial(z, HEDDLE_CC_TANH_F32) * z, x, x);
  const float value = size > 10 ? 1.0f : 1 - 2 / (exp_f32(2 * size) + 1);
  return not_a_number(x) ? x : __builtin_copysignf(value, x);
}
HEDDLE_CC_FUNCTION float asinh_f32(float x) {
  const float size = __builtin_fabsf(x);
  if (!(size < infinity_f32())) return x;
  float value;
  if (size > 0x1p+20f) {
    value = log_f32(size) + kLn2F1;
  } else {
    const float z = size * size;
    value = log1p_f32(size + z / (1 + __builtin_sqrtf(z + 1)));
  }
  return __builtin_copysignf(value, x);
}
HEDDLE_CC_FUNCTION float acosh_f32(float x) {
  if (!(x >= 1)) return nan_f32();
  if (x > 0x1p+20f) return log_f32(x) + kLn2F1;
  const float t = x - 1;
  return log1p_f32(t + __builtin_sqrtf(fused(t, t, 2 * t)));
}
HEDDLE_CC_FUNCTION float atanh_f32(float x) {
  const float size = __builtin_fabsf(x);
  if (!(size < 1)) return size == 1 ? __builtin_copysignf(infinity_f32(), x) : nan_f32();
  return __builtin_copysignf(0.5f * log1p_f32(2 * size / (1 - size)), x);
}

/// Returns m in [1, 8) and sets n, so that `size` = m * 2^(3 n).
HEDDLE_CC_FUNCTION float cube_split(float size, int& n) {
  const bool tiny = size < 0x1p-100f;
  const float lifted = tiny ? size * 0x1p+24f : size;
  const int third = ((int)(bits(lifted) >> 23) - 127 + 150) / 3 - 50;
  n = third - (tiny ? 8 : 0);
  return scaled(lifted, -3 * third);
}
HEDDLE_CC_FUNCTION PairF cube_root(float x) {
  float root = polynomial(x, 0.7f, 0.3f, -0.02f);
  for (int step = 0; step < 3; ++step) root = root - (root - x / (root * root)) * (1.0f / 3);
  const PairF square = product(root, root);
  const PairF rest = sum(negative(product(square, root)), x);
  return quick_sum(root, rest.high / (3 * square.high));
}
HEDDLE_CC_FUNCTION float cbrt_f32(float x) {
  if (x == 0 || !(__builtin_fabsf(x) < infinity_f32())) return x;
  int n;
  const PairF root = cube_root(cube_split(__builtin_fabsf(x), n));
  return __builtin_copysignf((root.high + root.low) * power_of_2_f32(n), x);
}
HEDDLE_CC_FUNCTION float rcbrt_f32(float x) {
  if (x == 0) return __builtin_copysignf(infinity_f32(), x);
  if (infinite(x)) return __builtin_copysignf(0.0f, x);
  if (not_a_number(x)) return x;
  int n;
  const PairF root = cube_root(cube_split(__builtin_fabsf(x), n));
  const PairF inverse = quotient(PairF{1, 0}, root);
  return __builtin_copysignf((inverse.high + inverse.low) * power_of_2_f32(-n), x);
}

HEDDLE_CC_FUNCTION float erfc_positive(float x) {
  if (x > 10.1f) return 0;
  const PairF square = product(x, x);
  int n;
  const float rounded = __builtin_rintf(square.high * -1.44269502f);
  n = (int)rounded;
  const float r = fused(rounded, -kLn2F2, fused(rounded, -kLn2F1, -square.high)) - square.low;
  const float e = expm1_reduced(r) + 1;
  const float t = (x - 4) / (x + 4);
  return scaled(e * (polynomial(t, HEDDLE_CC_ERFCX_F32) / fused(2.0f, x, 1.0f)), n);
}
HEDDLE_CC_FUNCTION float erf_f32(float x) {
  const float size = __builtin_fabsf(x);
  if (!(size >= 1)) return fused(polynomial(x * x, HEDDLE_CC_ERF_F32), x, x);
  return __builtin_copysignf(size > 4 ? 1 : 1 - erfc_positive(size), x);
}
HEDDLE_CC_FUNCTION float erfc_f32(float x) {
  if (not_a_number(x)) return x;
  if (x < 0.25f) return 1 - erf_f32(x);
  return erfc_positive(x);
}

/// Returns a power of 2 by which squares of numbers up to `largest` neither overflow nor underflow.
HEDDLE_CC_FUNCTION float square_scale(float largest) {
  return largest > 0x1p+60f ? 0x1p-70f : largest < 0x1p-50f ? 0x1p+90f : 1.0f;
}
HEDDLE_CC_FUNCTION float largest_of(float x) { return __builtin_fabsf(x); }
template <class... More>
HEDDLE_CC_FUNCTION float largest_of(float x, More... more) {
  const float a = __builtin_fabsf(x), b = largest_of(more...);
  return infinite(a) || infinite(b) ? infinity_f32() : not_a_number(a) || a > b ? a : b;
}
HEDDLE_CC_FUNCTION float squares(float) { return 0; }
template <class... More>
HEDDLE_CC_FUNCTION float squares(float scale, float x, More... more) {
  return fused(x * scale, x * scale, squares(scale, more...));
}
template <class... Numbers>
HEDDLE_CC_FUNCTION float length_f32(Numbers... x) {
  const float largest = largest_of(x...);
  if (largest == 0 || !(largest < infinity_f32())) return largest;
  const float scale = square_scale(largest);
  return __builtin_sqrtf(squares(scale, x...)) * (1 / scale);
}
template <class... Numbers>
HEDDLE_CC_FUNCTION float inverse_length_f32(Numbers... x) {
  const float largest = largest_of(x...);
  if (infinite(largest)) return 0;
  if (largest == 0 || not_a_number(largest)) return largest == 0 ? infinity_f32() : largest;
  const float scale = square_scale(largest);
  return 1 / __builtin_sqrtf(squares(scale, x...)) * scale;
}

}  // namespace heddle_cc
