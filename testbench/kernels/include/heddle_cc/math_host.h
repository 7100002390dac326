// SPDX-License-Identifier: Apache-2.0
// Functions that CUDA's headers also define for the host's code and that the C library lacks.
#pragma once

#include <math.h>

#define HEDDLE_CC_HOST_FUNCTION static inline __host__

HEDDLE_CC_HOST_FUNCTION float min(float a, float b) { return fminf(a, b); }
HEDDLE_CC_HOST_FUNCTION float max(float a, float b) { return fmaxf(a, b); }
HEDDLE_CC_HOST_FUNCTION double min(double a, double b) { return fmin(a, b); }
HEDDLE_CC_HOST_FUNCTION double max(double a, double b) { return fmax(a, b); }
HEDDLE_CC_HOST_FUNCTION double min(float a, double b) { return fmin((double)a, b); }
HEDDLE_CC_HOST_FUNCTION double max(float a, double b) { return fmax((double)a, b); }
HEDDLE_CC_HOST_FUNCTION double min(double a, float b) { return fmin(a, (double)b); }
HEDDLE_CC_HOST_FUNCTION double max(double a, float b) { return fmax(a, (double)b); }

namespace heddle_cc {

// Functions are computed in long double (64 binary digits), so the error is near the error of one rounding to double.
constexpr long double kPi = 3.14159265358979323846264338327950288L;

__host__ inline long double host_rsqrt(long double x) { return 1 / sqrtl(x); }
__host__ inline long double host_rcbrt(long double x) { return 1 / cbrtl(x); }
/// Return sin(pi x) and cos(pi x). x is first reduced, without rounding error, to a distance of at most 1/4 from 0.
__host__ inline long double host_sinpi(long double x) {
  const long double turn = remainderl(x, 2);  // -1 to 1
  const long double near = turn > 0.5L ? 1 - turn : turn < -0.5L ? -1 - turn : turn;
  return near == 0             ? copysignl(0, x)
         : fabsl(near) > 0.25L ? copysignl(cosl(kPi * (0.5L - fabsl(near))), near)
                               : sinl(kPi * near);
}
__host__ inline long double host_cospi(long double x) {
  const long double turn = fabsl(remainderl(x, 2));  // 0 to 1
  return turn == 0.5L ? 0 : fabsl(turn - 0.5L) < 0.25L ? sinl(kPi * (0.5L - turn)) : cosl(kPi * turn);
}
__host__ inline long double host_erfcx(long double x) {
  if (x < 50) return expl(x * x) * erfcl(x);
  const long double y = 1 / (2 * x * x);
  return (1 - y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y)))) / (x * sqrtl(kPi));
}
/// Returns x with erfc(x) = y, by Newton's method on log erfc(x), whose curve is close to a parabola.
__host__ inline long double host_erfcinv(long double y) {
  if (!(y >= 0 && y <= 2)) return NAN;
  if (y > 1) return -host_erfcinv(2 - y);
  if (y == 0) return INFINITY;
  long double x = sqrtl(-logl(y * (2 - y)));
  for (int i = 0; i < 12; ++i) {
    const long double scaled = host_erfcx(x);  // erfc(x) is scaled exp(-x x)
    x += (logl(scaled / y) - x * x) * scaled * sqrtl(kPi) / 2;
  }
  return x;
}
__host__ inline long double host_erfinv(long double y) {
  if (fabsl(y) > 0.5L) return copysignl(host_erfcinv(1 - fabsl(y)), y);
  long double x = y * sqrtl(kPi) / 2;
  for (int i = 0; i < 8; ++i) x -= (erfl(x) - y) * sqrtl(kPi) / 2 * expl(x * x);
  return x;
}
__host__ inline long double host_normcdf(long double x) { return erfcl(-x * sqrtl(0.5L)) / 2; }
__host__ inline long double host_normcdfinv(long double y) { return -host_erfcinv(2 * y) * sqrtl(2); }

}  // namespace heddle_cc

#define HEDDLE_CC_ON_HOST(name)                                                                            \
  HEDDLE_CC_HOST_FUNCTION double name(double x) { return (double)heddle_cc::host_##name((long double)x); } \
  HEDDLE_CC_HOST_FUNCTION float name##f(float x) { return (float)heddle_cc::host_##name((long double)x); } \
  HEDDLE_CC_HOST_FUNCTION float name(float x) { return name##f(x); }
HEDDLE_CC_ON_HOST(rsqrt)
HEDDLE_CC_ON_HOST(rcbrt)
HEDDLE_CC_ON_HOST(sinpi)
HEDDLE_CC_ON_HOST(cospi)
HEDDLE_CC_ON_HOST(erfcx)
HEDDLE_CC_ON_HOST(erfcinv)
HEDDLE_CC_ON_HOST(erfinv)
HEDDLE_CC_ON_HOST(normcdf)
HEDDLE_CC_ON_HOST(normcdfinv)
#undef HEDDLE_CC_ON_HOST
HEDDLE_CC_HOST_FUNCTION void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
HEDDLE_CC_HOST_FUNCTION void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
#undef HEDDLE_CC_HOST_FUNCTION
