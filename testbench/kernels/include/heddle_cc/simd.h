// SPDX-License-Identifier: Apache-2.0
// Several integers in a word: two of 16 bits, or four of 8 ("SIMD Intrinsics").
#pragma once

#include "integer.h"

namespace heddle_cc {

/// Splits two words into parts of `bits` bits, extends the parts to int, applies `operation` to each pair of parts, and
/// joins the low bits of the results.
template <int bits, bool is_signed, class Operation>
HEDDLE_CC_FUNCTION unsigned by_parts(unsigned a, unsigned b, Operation operation) {
  unsigned result = 0;
  constexpr unsigned mask = (1u << bits) - 1;
#pragma unroll
  for (int at = 0; at < 32; at += bits) {
    const unsigned au = a >> at & mask, bu = b >> at & mask;
    const int left = is_signed ? (int)(au << (32 - bits)) >> (32 - bits) : (int)au;
    const int right = is_signed ? (int)(bu << (32 - bits)) >> (32 - bits) : (int)bu;
    result |= ((unsigned)operation(left, right) & mask) << at;
  }
  return result;
}
template <int bits, bool is_signed>
HEDDLE_CC_FUNCTION int saturated(int v) {
  constexpr int high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, low = is_signed ? -high - 1 : 0;
  return v < low ? low : v > high ? high : v;
}
/// Divides a word into parts of `bits` bits each, and returns the sum of the parts.
template <int bits>
HEDDLE_CC_FUNCTION unsigned parts_sum(unsigned a) {
  unsigned sum = 0;
#pragma unroll
  for (int at = 0; at < 32; at += bits) sum += a >> at & ((1u << bits) - 1);
  return sum;
}

}  // namespace heddle_cc

// Defines a function by an `expression` of the parts a of x and b of y. `width`: 16 or 8 bits; `sign`: true if signed.
#define HEDDLE_CC_SIMD_ONE(name, width, sign, expression)                                 \
  HEDDLE_CC_FUNCTION unsigned name(unsigned x) {                                          \
    constexpr int bits = width;                                                           \
    (void)bits;                                                                           \
    return heddle_cc::by_parts<width, sign>(x, 0, [](int a, int) { return expression; }); \
  }
#define HEDDLE_CC_SIMD_TWO(name, width, sign, expression)                                   \
  HEDDLE_CC_FUNCTION unsigned name(unsigned x, unsigned y) {                                \
    constexpr int bits = width;                                                             \
    (void)bits;                                                                             \
    return heddle_cc::by_parts<width, sign>(x, y, [](int a, int b) { return expression; }); \
  }
#define HEDDLE_CC_SIMD(parts, width)                                                                    \
  HEDDLE_CC_SIMD_ONE(__vabs##parts, width, true, a < 0 ? -a : a)                                        \
  HEDDLE_CC_SIMD_ONE(__vabsss##parts, width, true, (heddle_cc::saturated<width, true>(a < 0 ? -a : a))) \
  HEDDLE_CC_SIMD_ONE(__vneg##parts, width, true, -a)                                                    \
  HEDDLE_CC_SIMD_ONE(__vnegss##parts, width, true, (heddle_cc::saturated<width, true>(-a)))             \
  HEDDLE_CC_SIMD_TWO(__vabsdiffs##parts, width, true, a < b ? b - a : a - b)                            \
  HEDDLE_CC_SIMD_TWO(__vabsdiffu##parts, width, false, a < b ? b - a : a - b)                           \
  HEDDLE_CC_SIMD_TWO(__vadd##parts, width, false, a + b)                                                \
  HEDDLE_CC_SIMD_TWO(__vaddss##parts, width, true, (heddle_cc::saturated<width, true>(a + b)))          \
  HEDDLE_CC_SIMD_TWO(__vaddus##parts, width, false, (heddle_cc::saturated<width, false>(a + b)))        \
  HEDDLE_CC_SIMD_TWO(__vsub##parts, width, false, a - b)                                                \
  HEDDLE_CC_SIMD_TWO(__vsubss##parts, width, true, (heddle_cc::saturated<width, true>(a - b)))          \
  HEDDLE_CC_SIMD_TWO(__vsubus##parts, width, false, (heddle_cc::saturated<width, false>(a - b)))        \
  HEDDLE_CC_SIMD_TWO(__vavgs##parts, width, true, a + b < 0 ? (a + b) >> 1 : (a + b + 1) >> 1)          \
  HEDDLE_CC_SIMD_TWO(__vavgu##parts, width, false, (a + b + 1) >> 1)                                    \
  HEDDLE_CC_SIMD_TWO(__vhaddu##parts, width, false, (a + b) >> 1)                                       \
  HEDDLE_CC_SIMD_TWO(__vmaxs##parts, width, true, a > b ? a : b)                                        \
  HEDDLE_CC_SIMD_TWO(__vmaxu##parts, width, false, a > b ? a : b)                                       \
  HEDDLE_CC_SIMD_TWO(__vmins##parts, width, true, a < b ? a : b)                                        \
  HEDDLE_CC_SIMD_TWO(__vminu##parts, width, false, a < b ? a : b)                                       \
  HEDDLE_CC_SIMD_COMPARE(eq, false, ==, parts, width)                                                   \
  HEDDLE_CC_SIMD_COMPARE(ne, false, !=, parts, width)                                                   \
  HEDDLE_CC_SIMD_COMPARE(ges, true, >=, parts, width)                                                   \
  HEDDLE_CC_SIMD_COMPARE(geu, false, >=, parts, width)                                                  \
  HEDDLE_CC_SIMD_COMPARE(gts, true, >, parts, width)                                                    \
  HEDDLE_CC_SIMD_COMPARE(gtu, false, >, parts, width)                                                   \
  HEDDLE_CC_SIMD_COMPARE(les, true, <=, parts, width)                                                   \
  HEDDLE_CC_SIMD_COMPARE(leu, false, <=, parts, width)                                                  \
  HEDDLE_CC_SIMD_COMPARE(lts, true, <, parts, width)                                                    \
  HEDDLE_CC_SIMD_COMPARE(ltu, false, <, parts, width)                                                   \
  HEDDLE_CC_FUNCTION unsigned __vsads##parts(unsigned x, unsigned y) {                                  \
    return heddle_cc::parts_sum<width>(__vabsdiffs##parts(x, y));                                       \
  }                                                                                                     \
  HEDDLE_CC_FUNCTION unsigned __vsadu##parts(unsigned x, unsigned y) {                                  \
    return heddle_cc::parts_sum<width>(__vabsdiffu##parts(x, y));                                       \
  }
#define HEDDLE_CC_SIMD_COMPARE(name, sign, operation, parts, width)            \
  HEDDLE_CC_SIMD_TWO(__vcmp##name##parts, width, sign, a operation b ? -1 : 0) \
  HEDDLE_CC_SIMD_TWO(__vset##name##parts, width, sign, a operation b ? 1 : 0)
HEDDLE_CC_SIMD(2, 16)
HEDDLE_CC_SIMD(4, 8)
#undef HEDDLE_CC_SIMD
#undef HEDDLE_CC_SIMD_ONE
#undef HEDDLE_CC_SIMD_TWO
#undef HEDDLE_CC_SIMD_COMPARE

// Functions of three numbers, and their variants with a minimum result of 0 ("relu").
#define HEDDLE_CC_THREE(type, name)                                                             \
  HEDDLE_CC_FUNCTION type __vimax3_##name(type a, type b, type c) { return max(max(a, b), c); } \
  HEDDLE_CC_FUNCTION type __vimin3_##name(type a, type b, type c) { return min(min(a, b), c); } \
  HEDDLE_CC_FUNCTION type __viaddmax_##name(type a, type b, type c) {                           \
    return max((type)((unsigned)a + (unsigned)b), c);                                           \
  }                                                                                             \
  HEDDLE_CC_FUNCTION type __viaddmin_##name(type a, type b, type c) {                           \
    return min((type)((unsigned)a + (unsigned)b), c);                                           \
  }
HEDDLE_CC_THREE(int, s32)
HEDDLE_CC_THREE(unsigned, u32)
#undef HEDDLE_CC_THREE
HEDDLE_CC_FUNCTION int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
HEDDLE_CC_FUNCTION int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
HEDDLE_CC_FUNCTION int __vimax3_s32_relu(int a, int b, int c) { return max(__vimax3_s32(a, b, c), 0); }
HEDDLE_CC_FUNCTION int __vimin3_s32_relu(int a, int b, int c) { return max(__vimin3_s32(a, b, c), 0); }
HEDDLE_CC_FUNCTION int __viaddmax_s32_relu(int a, int b, int c) { return max(__viaddmax_s32(a, b, c), 0); }
HEDDLE_CC_FUNCTION int __viaddmin_s32_relu(int a, int b, int c) { return max(__viaddmin_s32(a, b, c), 0); }
// Minimum and maximum of two numbers. The functions also return whether the first number is the result. Variants work
// on the two 16-bit halves of words.
#define HEDDLE_CC_WHICH(type, name)                                                                          \
  HEDDLE_CC_FUNCTION type __vibmax_##name(type a, type b, bool* first) { return (*first = a >= b) ? a : b; } \
  HEDDLE_CC_FUNCTION type __vibmin_##name(type a, type b, bool* first) { return (*first = a <= b) ? a : b; }
HEDDLE_CC_WHICH(int, s32)
HEDDLE_CC_WHICH(unsigned, u32)
#undef HEDDLE_CC_WHICH
#define HEDDLE_CC_HALVES(name, most, least)                                                    \
  HEDDLE_CC_FUNCTION unsigned __vimax3_##name(unsigned a, unsigned b, unsigned c) {            \
    return most(most(a, b), c);                                                                \
  }                                                                                            \
  HEDDLE_CC_FUNCTION unsigned __vimin3_##name(unsigned a, unsigned b, unsigned c) {            \
    return least(least(a, b), c);                                                              \
  }                                                                                            \
  HEDDLE_CC_FUNCTION unsigned __viaddmax_##name(unsigned a, unsigned b, unsigned c) {          \
    return most(__vadd2(a, b), c);                                                             \
  }                                                                                            \
  HEDDLE_CC_FUNCTION unsigned __viaddmin_##name(unsigned a, unsigned b, unsigned c) {          \
    return least(__vadd2(a, b), c);                                                            \
  }                                                                                            \
  HEDDLE_CC_FUNCTION unsigned __vibmax_##name(unsigned a, unsigned b, bool* high, bool* low) { \
    const unsigned m = most(a, b);                                                             \
    *high = m >> 16 == a >> 16;                                                                \
    *low = (m & 0xffff) == (a & 0xffff);                                                       \
    return m;                                                                                  \
  }                                                                                            \
  HEDDLE_CC_FUNCTION unsigned __vibmin_##name(unsigned a, unsigned b, bool* high, bool* low) { \
    const unsigned m = least(a, b);                                                            \
    *high = m >> 16 == a >> 16;                                                                \
    *low = (m & 0xffff) == (a & 0xffff);                                                       \
    return m;                                                                                  \
  }
HEDDLE_CC_HALVES(s16x2, __vmaxs2, __vmins2)
HEDDLE_CC_HALVES(u16x2, __vmaxu2, __vminu2)
#undef HEDDLE_CC_HALVES
HEDDLE_CC_FUNCTION unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmaxs2(a, b), 0); }
HEDDLE_CC_FUNCTION unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
HEDDLE_CC_FUNCTION unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return __vmaxs2(__vimax3_s16x2(a, b, c), 0);
}
HEDDLE_CC_FUNCTION unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return __vmaxs2(__vimin3_s16x2(a, b, c), 0);
}
HEDDLE_CC_FUNCTION unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return __vmaxs2(__viaddmax_s16x2(a, b, c), 0);
}
HEDDLE_CC_FUNCTION unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return __vmaxs2(__viaddmin_s16x2(a, b, c), 0);
}
