// SPDX-License-Identifier: Apache-2.0
// Bessel functions of double. Up to 8 they use a polynomial around each zero (or around 0), beyond 8 phase
// and modulus (M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, 9.2.5).
#pragma once

#include "special.h"

namespace heddle_cc {

/// Returns u' P(u) for u = x - `zero` and u' = u - `rest`. The Bessel function has a root at `zero` + `rest`.
template <class... C>
HEDDLE_CC_FUNCTION double around_zero(double x, double zero, double rest, C... c) {
  const double u = x - zero;
  return (u - rest) * polynomial(u, c...);
}
/// Returns the Bessel function J, or Y if `second_kind`, of order 0 or 1 at x >= 8.
HEDDLE_CC_FUNCTION double bessel_far(double x, int order, bool second_kind) {
  if (infinite(x)) return 0;
  const double w = 64 / (x * x);
  const double p = order == 0 ? polynomial(w, HEDDLE_CC_PHASE_P0_F64) : polynomial(w, HEDDLE_CC_PHASE_P1_F64);
  const double q =
      (order == 0 ? polynomial(w, HEDDLE_CC_PHASE_Q0_F64) : polynomial(w, HEDDLE_CC_PHASE_Q1_F64)) * (8 / x);
  double sine, cosine;
  sincos_f64(x, &sine, &cosine);
  // s and c are sqrt(2) times sine and cosine of x - pi/4. For order 1, they are turned by a quarter turn.
  const double s = sine - cosine, c = sine + cosine;
  const double turned_c = order == 0 ? c : s, turned_s = order == 0 ? s : -c;
  const double value = second_kind ? fused(p, turned_s, q * turned_c) : fused(p, turned_c, -q * turned_s);
  return value * 0.5641895835477563 / __builtin_sqrt(x);
}
HEDDLE_CC_FUNCTION double j0_f64(double x) {
  const double size = __builtin_fabs(x);
  if (size < 1) return fused(polynomial(x * x, HEDDLE_CC_J0_F64), x * x, 1.0);
  if (size < 4) return around_zero(size, HEDDLE_CC_J0_A_ZERO, HEDDLE_CC_J0_A_F64);
  if (size < 8) return around_zero(size, HEDDLE_CC_J0_B_ZERO, HEDDLE_CC_J0_B_F64);
  return not_a_number(x) ? x : bessel_far(size, 0, false);
}
HEDDLE_CC_FUNCTION double j1_f64(double x) {
  const double size = __builtin_fabs(x);
  double value;
  if (size < 2)
    value = size * fused(polynomial(x * x, HEDDLE_CC_J1_F64), x * x, 0.5);
  else if (size < 5.4)
    value = around_zero(size, HEDDLE_CC_J1_A_ZERO, HEDDLE_CC_J1_A_F64);
  else if (size < 8)
    value = around_zero(size, HEDDLE_CC_J1_B_ZERO, HEDDLE_CC_J1_B_F64);
  else
    value = not_a_number(x) ? x : bessel_far(size, 1, false);
  return x < 0 || __builtin_signbit(x) ? -value : value;
}
constexpr double kTwoOverPi = 0.6366197723675814;
HEDDLE_CC_FUNCTION double y0_near(double x, double zero, double rest) {
  // The zero of Y0 is zero + rest. Near it, log1p computes log(x / zero) without cancellation.
  const Pair distance = sum(sum(x, -zero), -rest);
  const double ratio = distance.high / zero;
  const double logarithm = ratio > -0.25 && ratio < 0.4 ? log1p_f64(ratio) : log_f64(x) - log_f64(zero);
  return fused(kTwoOverPi * logarithm, j0_f64(x),
               distance.high * (x + zero) * polynomial(x * x, HEDDLE_CC_Y0_F64));
}
HEDDLE_CC_FUNCTION double y0_f64(double x) {
  if (!(x > 0)) return x == 0 ? -infinity_f64() : nan_f64();
  if (x < 2) return y0_near(x, HEDDLE_CC_Y0_ZERO);
  if (x < 5.4) return around_zero(x, HEDDLE_CC_Y0_A_ZERO, HEDDLE_CC_Y0_A_F64);
  if (x < 8) return around_zero(x, HEDDLE_CC_Y0_B_ZERO, HEDDLE_CC_Y0_B_F64);
  return bessel_far(x, 0, true);
}
HEDDLE_CC_FUNCTION double y1_f64(double x) {
  if (!(x > 0)) return x == 0 ? -infinity_f64() : nan_f64();
  if (x < 0x1p-60) return -kTwoOverPi / x;
  if (x < 1.3)
    return fused(kTwoOverPi, log_f64(x) * j1_f64(x) - 1 / x, x * polynomial(x * x, HEDDLE_CC_Y1_F64));
  if (x < 3.8) return around_zero(x, HEDDLE_CC_Y1_A_ZERO, HEDDLE_CC_Y1_A_F64);
  if (x < 8) return around_zero(x, HEDDLE_CC_Y1_B_ZERO, HEDDLE_CC_Y1_B_F64);
  return bessel_far(x, 1, true);
}
/// Uses the recurrence over the order upwards where it is stable: for J up to order x, for Y always.
HEDDLE_CC_FUNCTION double jn_f64(int n, double x) {
  if (n < 0) return nan_f64();
  if (n == 0) return j0_f64(x);
  if (n == 1 || x == 0 || not_a_number(x)) return n == 1 || x != 0 ? n == 1 ? j1_f64(x) : x : 0;
  const double size = __builtin_fabs(x);
  if (infinite(size)) return 0;
  double value;
  if (size > n) {
    double before = j0_f64(size);
    value = j1_f64(size);
    for (int k = 1; k < n; ++k) {
      const double next = 2 * k / size * value - before;
      before = value;
      value = next;
    }
  } else {
    // J. Miller's method: recur downwards from an order whose value is negligible, and normalise by J0 + 2 J2
    // + 2 J4 + ... = 1.
    int from = n + (int)__builtin_sqrt(60.0 * n) + 30;
    from += from & 1;
    double above = 0, here = 1e-300, sum_of_even = 0;
    value = 0;
    for (int k = from; k > 0; --k) {
      const double below = 2 * k / size * here - above;
      above = here;
      here = below;
      if (k - 1 == n) value = here;
      if ((k & 1) != 0) sum_of_even += k == 1 ? here : 2 * here;
      if (__builtin_fabs(here) > 1e200) {
        above *= 1e-200;
        here *= 1e-200;
        value *= 1e-200;
        sum_of_even *= 1e-200;
      }
    }
    value /= sum_of_even;
  }
  return x < 0 && (n & 1) != 0 ? -value : value;
}
HEDDLE_CC_FUNCTION double yn_f64(int n, double x) {
  if (n < 0 || !(x >= 0)) return nan_f64();
  if (n == 0) return y0_f64(x);
  if (x == 0) return -infinity_f64();
  if (infinite(x)) return 0;
  double before = y0_f64(x), value = y1_f64(x);
  for (int k = 1; k < n && value > -infinity_f64(); ++k) {
    const double next = 2 * k / x * value - before;
    before = value;
    value = next;
  }
  return value;
}
HEDDLE_CC_FUNCTION double grown(double x, double scaled_value) {
  return x < 700 ? exp_f64(x) * scaled_value : exp_f64(0.5 * x) * scaled_value * exp_f64(0.5 * x);
}
HEDDLE_CC_FUNCTION double cyl_bessel_i0_f64(double x) {
  const double size = __builtin_fabs(x);
  if (!(size < 720)) return not_a_number(x) ? x : infinity_f64();
  if (size < 8) return exp_f64(size) * polynomial(size - 4, HEDDLE_CC_I0_F64);
  return grown(size, polynomial(8 / size - 0.5, HEDDLE_CC_I0_LARGE_F64) / __builtin_sqrt(size));
}
HEDDLE_CC_FUNCTION double cyl_bessel_i1_f64(double x) {
  const double size = __builtin_fabs(x);
  if (!(size < 720)) return not_a_number(x) ? x : x * infinity_f64();
  if (size < 8) return exp_f64(size) * polynomial(size - 4, HEDDLE_CC_I1_F64) * x;
  return __builtin_copysign(
      grown(size, polynomial(8 / size - 0.5, HEDDLE_CC_I1_LARGE_F64) / __builtin_sqrt(size)), x);
}

}  // namespace heddle_cc
