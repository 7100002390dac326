#pragma once

// Shared code of floating-point lane functions: canonical NaNs, flushing of subnormals, and saturation.

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {

template <class T>
inline constexpr Word<T> kSign = Word<T>{1} << (kBits<T> - 1);
template <class T>
inline constexpr Word<T> kInfinity = sizeof(T) == 8 ? static_cast<Word<T>>(0x7ff0000000000000u)
                                                    : static_cast<Word<T>>(0x7f800000u);
template <class T>
inline constexpr Word<T> kNan = sizeof(T) == 8 ? static_cast<Word<T>>(0x7ff8000000000000u)
                                               : static_cast<Word<T>>(0x7fffffffu);

template <class T>
HEDDLE_INLINE T canonical(T v) {
  return bits_as<T>(v == v ? bits_as<Word<T>>(v) : kNan<T>);
}
/// Returns v, or zero with the sign of v if v is subnormal (.ftz).
template <class T>
HEDDLE_INLINE T flushed(T v) {
  const Word<T> bits = bits_as<Word<T>>(v);
  return bits_as<T>((bits & kInfinity<T>) != 0 ? bits : bits & kSign<T>);
}
/// Clamps v to [+0, 1] (.sat). NaN and -0 give +0.
template <class T>
HEDDLE_INLINE T saturated(T v) {
  return v > T{0} ? (v < T{1} ? v : T{1}) : T{0};
}

/// Operations for which .ftz needs more precision than the rounded result. Op::enlarged() returns 2^24 times
/// the result, rounded to the precision of normal numbers. If the rounded result is the least normal number,
/// enlarged() decides whether it is flushed to zero. For larger results, enlarged() may overflow and is not
/// used.
template <class Op, class... T>
concept RoundsNearLeast = requires(T... v) {
  Op::enlarged(v...);
};
inline constexpr float kEnlarged = 0x1p24f;
/// Bits of 2^-126 (least normal f32) and of 2^-102 (2^24 times as large).
inline constexpr u32 kLeast = 0x00800000, kLeastEnlarged = kLeast + (u32{24} << 23);

/// Computes a floating-point operation with its modifiers: flushes operands and result (.ftz), saturates
/// (.sat), and makes NaNs canonical. As on an H200 (docs/on-gpu.md), .ftz first rounds the result to the
/// precision of normal numbers, and then flushes a result below the least normal number.
template <class Op, bool Ftz, bool Sat>
struct Shaped {
  template <class T>
  HEDDLE_INLINE static T in(T v) {
    return Ftz ? flushed(v) : v;
  }
  template <class T>
  HEDDLE_INLINE static T out(T v) {
    const T result = Ftz ? flushed(v) : v;
    return Sat ? saturated(result) : canonical(result);
  }
  template <class T, class... More>
  HEDDLE_INLINE static T apply(T a, More... more) {
    const T result = Op::apply(in(a), in(more)...);
    if constexpr (Ftz && RoundsNearLeast<Op, T, More...>) {
      const Word<T> bits = bits_as<Word<T>>(result);
      const Word<T> size = bits_as<Word<T>>(Op::enlarged(in(a), in(more)...)) & ~kSign<T>;
      const bool below = (bits & ~kSign<T>) == kLeast && size < kLeastEnlarged;
      return out(bits_as<T>(below ? bits & kSign<T> : bits));
    } else {
      return out(result);
    }
  }
};

struct FloatAdd {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return a + b;
  }
};
struct FloatSubtract {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return a - b;
  }
};
struct FloatMultiply {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return a * b;
  }
  HEDDLE_INLINE static float enlarged(float a, float b) { return a * kEnlarged * b; }
};
struct FloatDivide {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return a / b;
  }
};
struct FloatFma {
  HEDDLE_INLINE static float apply(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  HEDDLE_INLINE static double apply(double a, double b, double c) { return __builtin_fma(a, b, c); }
  HEDDLE_INLINE static float enlarged(float a, float b, float c) {
    return __builtin_fmaf(a * kEnlarged, b, c * kEnlarged);
  }
};
struct FloatReciprocal {
  template <class T>
  HEDDLE_INLINE static T apply(T a) {
    return T{1} / a;
  }
};
struct FloatSquareRoot {
  HEDDLE_INLINE static float apply(float a) { return __builtin_sqrtf(a); }
  HEDDLE_INLINE static double apply(double a) { return __builtin_sqrt(a); }
};

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
