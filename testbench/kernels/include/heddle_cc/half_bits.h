// Binary floating-point numbers of 16 bits, by arithmetic on integers: half (5 bits of exponent, 10 of fraction) and bfloat16
// (8 and 7).
#pragma once

#include "base.h"

namespace heddle_cc {

enum class Round { nearest, zero, down, up };

/// Whether a number whose digits end before `rest` (of 2^bits, so `rest` in units of the last digit) is rounded away from 0.
template <Round round>
HEDDLE_CC_BOTH bool rounds_away(bool negative, bool odd, unsigned long long rest, unsigned long long half) {
  switch (round) {
    case Round::nearest:
      return rest > half || (rest == half && odd);
    case Round::zero:
      return false;
    case Round::down:
      return negative && rest != 0;
    case Round::up:
      return !negative && rest != 0;
  }
  return false;
}

/// The number of 16 bits that a double (or a float, which is one) is rounded to.
template <int exponent_bits, Round round>
HEDDLE_CC_BOTH unsigned short narrowed(double value) {
  constexpr int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  constexpr unsigned infinite = ((1u << exponent_bits) - 1) << fraction_bits;
  const unsigned long long pattern = __builtin_bit_cast(unsigned long long, value);
  const unsigned sign = (unsigned)(pattern >> 48) & 0x8000u;
  const unsigned long long size = pattern & 0x7fffffffffffffffull;
  if (size > 0x7ff0000000000000ull) return 0x7fff;
  if (size == 0x7ff0000000000000ull) return (unsigned short)(sign | infinite);
  if (size == 0) return (unsigned short)sign;
  int exponent = (int)(size >> 52) - 1023;
  if (exponent < -1000) exponent = -1000;  // all of them vanish
  unsigned long long digits = (size & 0xfffffffffffffull) | 0x10000000000000ull;
  // Digits before the last place of a normal number, or of a subnormal one.
  int drop = 52 - fraction_bits;
  int field = exponent + bias;
  if (field < 1) {
    drop += 1 - field;
    field = 0;
  } else {
    --field;  // the leading digit adds 1
  }
  if (drop > 62) drop = 62;
  const unsigned long long kept = digits >> drop, rest = digits & ((1ull << drop) - 1);
  unsigned long long result = ((unsigned long long)(unsigned)field << fraction_bits) + kept;
  if (rounds_away<round>(sign != 0, (kept & 1) != 0, rest, 1ull << (drop - 1))) ++result;
  if (result >= infinite) {
    // Too large: infinite, or the largest number where that is rounded to.
    const bool largest =
        round == Round::zero || (round == Round::down && sign == 0) || (round == Round::up && sign != 0);
    result = largest ? infinite - 1 : infinite;
  }
  return (unsigned short)(sign | (unsigned)result);
}

HEDDLE_CC_BOTH float half_to_float(unsigned short bits) {
  const unsigned sign = (unsigned)(bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f,
                 fraction = bits & 0x3ff;
  if (exponent == 0) {
    const float size = (float)fraction * 0x1p-24f;
    return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, size) | sign);
  }
  const unsigned field =
      exponent == 31 ? 0x7f800000u | fraction << 13 : (exponent + 112) << 23 | fraction << 13;
  return __builtin_bit_cast(float, sign | field);
}
HEDDLE_CC_BOTH float bfloat_to_float(unsigned short bits) {
  return __builtin_bit_cast(float, (unsigned)bits << 16);
}

/// a * b + c of halves with one rounding: the product is exact in double, and the sum is rounded to an odd last digit where it
/// is not, so that the second rounding sees on which side it lies (S. Boldo and G. Melquiond, IEEE Trans. Computers 57, 2008).
HEDDLE_CC_BOTH double odd_sum(double a, double b) {
  const double high = a + b;
  const double b_part = high - a;
  const double a_part = high - b_part;
  const double b_rest = b - b_part, a_rest = a - a_part;
  const double low = a_rest + b_rest;
  const unsigned long long pattern = __builtin_bit_cast(unsigned long long, high);
  if (low == 0 || low != low || (pattern & 1) != 0) return high;
  return __builtin_bit_cast(double, pattern + ((low > 0) == (high > 0) ? 1ull : ~0ull));
}

}  // namespace heddle_cc
