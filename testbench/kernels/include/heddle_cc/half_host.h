// SPDX-License-Identifier: Apache-2.0
// Arithmetic of 16-bit floating-point numbers in host code, which has no instructions for them: converts bits
// to wider values, computes with these, and rounds the result once to 16 bits.
#pragma once

#include <math.h>

namespace heddle_cc {

// As in PTX: if one operand is NaN, the result is the other operand; -0 is below 0.
static __host__ inline float smaller(float a, float b) {
  return a != a || b < a || (a == b && __builtin_signbit(b)) ? b : a;
}
static __host__ inline float larger(float a, float b) {
  return a != a || b > a || (a == b && !__builtin_signbit(b)) ? b : a;
}
static __host__ inline long double between_0_and_1(long double v) { return !(v > 0) ? 0 : v > 1 ? 1 : v; }

enum class Rounding { nearest, zero, down, up };

/// A 16-bit floating-point format. `digits` is the number of binary digits, with the leading one: 11 (half) or 8
/// (bfloat16).
template <int digits>
struct HostHalf {
  static constexpr int least = 2 - (1 << (15 - digits));  ///< exponent of the smallest normal number
  static constexpr unsigned infinity = (unsigned)(3 - 2 * least) << (digits - 1);
  static constexpr unsigned short not_a_number = 0x7fff, one = (1 - least) << (digits - 1);

  static __host__ float value(unsigned short bits) {
    const unsigned size = bits & 0x7fff, field = size >> (digits - 1);
    const unsigned fraction = size & ((1u << (digits - 1)) - 1);
    float v = __builtin_nanf("");
    if (size == infinity)
      v = __builtin_inff();
    else if (size < infinity)
      v = ldexpf((float)(field ? fraction | 1u << (digits - 1) : fraction),
                 (field ? (int)field : 1) + least - digits);
    return bits & 0x8000 ? -v : v;
  }

  /// Rounds v + rest to 16 bits. |rest| is less than one unit in the last place of v, and only decides ties.
  static __host__ unsigned short narrow(long double v, Rounding rounding = Rounding::nearest,
                                        long double rest = 0) {
    if (v != v) return not_a_number;
    const bool negative = __builtin_signbit(v);
    const unsigned short sign = negative ? 0x8000 : 0;
    const long double size = negative ? -v : v, more = negative ? -rest : rest;
    if (size == __builtin_infl()) return sign | infinity;
    if (size == 0) return sign;
    int exponent = ilogbl(size);
    if (exponent < least) exponent = least;
    if (exponent > 1 - least)
      exponent = 2 - least;  // larger than the largest number, whose exponent is 1 - least
    const long double scaled = ldexpl(size, digits - 1 - exponent);
    const unsigned whole = exponent > 1 - least ? 1u << (digits - 1) : (unsigned)scaled;
    const long double left = scaled - whole;
    bool up = false;
    switch (rounding) {
      case Rounding::nearest:
        up = left > 0.5L || (left == 0.5L && (more > 0 || (more == 0 && whole % 2 == 1)));
        break;
      case Rounding::down:
      case Rounding::up:
        up = (left > 0 || more > 0) && negative == (rounding == Rounding::down);
        break;
      case Rounding::zero:
        break;
    }
    const unsigned bits = ((unsigned)(exponent - least) << (digits - 1)) + whole + up;
    if (bits < infinity) return sign | (unsigned short)bits;
    const bool past = rounding == Rounding::nearest ||
                      (rounding != Rounding::zero && negative == (rounding == Rounding::down));
    return sign | (unsigned short)(past ? infinity : infinity - 1);
  }

  /// Returns x y + z with one rounding.
  static __host__ unsigned short fused(float x, float y, float z) {
    const long double product = (long double)x * y, sum = product + z;
    if (!(__builtin_fabsl(sum) < __builtin_infl())) return narrow(sum);
    const long double z_part = sum - product, product_part = sum - z_part;
    return narrow(sum, Rounding::nearest, (product - product_part) + (z - z_part));
  }
  /// Variants of an instruction's result.
  static __host__ unsigned short plain(unsigned short bits) { return bits; }
  static __host__ unsigned short clear_below_0(unsigned short bits) { return bits & 0x8000 ? 0 : bits; }
  static __host__ unsigned short saturated(unsigned short bits) {
    return bits > infinity ? 0 : bits > one ? one : bits;
  }
};

}  // namespace heddle_cc
