#pragma once

// Conversion of f16 and bf16 to float or double, and back with a single rounding. Half-precision arithmetic
// is computed in double. Inexact sums in double are rounded to odd (last bit set), so that the later rounding
// to 8 or 11 significand bits is correct.

#include "models/isa/lanes/lane_floats.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {

/// Properties of the 16-bit floating-point formats f16 (Half) and bf16 (Brain). Values are in the low half of
/// a word.
struct Half {
  static constexpr int fraction_bits = 10, least_exponent = -14;
};
struct Brain {
  static constexpr int fraction_bits = 7, least_exponent = -126;
};
inline constexpr u32 kHalfSign = 0x8000, kHalfNan = 0x7fff;
template <class F>
inline constexpr u32 kHalfInfinity = (0x7fffu >> F::fraction_bits) << F::fraction_bits;

/// Converts an f16 or bf16 value to float, which is exact. NaN stays NaN.
template <class F>
HEDDLE_INLINE float widened(u32 bits) {
  if constexpr (F::fraction_bits == 7) return bits_as<float>(bits << 16);
  const u32 size = (bits & 0x7fffu) << 13;
  // Multiplying by 2^112 changes the exponent bias from the bias of f16 to the bias of f32.
  const u32 scaled = bits_as<u32>(bits_as<float>(size) * 0x1p112f);
  const u32 value = size >= kHalfInfinity<F> << 13 ? size | kInfinity<float> : scaled;
  return bits_as<float>(value | (bits & kHalfSign) << 16);
}

template <class F>
HEDDLE_INLINE u32 half_flushed(u32 bits) {
  return (bits & kHalfInfinity<F>) != 0 ? bits : bits & kHalfSign;
}

/// Rounds `v` once to f16 or bf16 with rounding R, which is rn, rz, rm or rp. NaN gives 7fff.
template <class F, Rounding R = Rounding::rn>
HEDDLE_INLINE u32 narrowed(double v) {
  constexpr u32 infinity = kHalfInfinity<F>;
  const u64 bits = bits_as<u64>(v);
  const u64 size = bits & ~kSign<double>;
  const u32 sign = static_cast<u32>(bits >> 48) & kHalfSign;
  const s64 exponent = static_cast<s64>(size >> 52) - 1023;
  const s64 at = exponent < F::least_exponent ? s64{F::least_exponent} : exponent;
  // Number of significand bits that a subnormal result loses.
  const s64 below = at - exponent;
  const u64 cut =
      static_cast<u64>(52 - F::fraction_bits + (below < F::fraction_bits + 2 ? below : F::fraction_bits + 2));
  const u64 hidden = exponent > -1023 ? u64{1} << 52 : 0;
  const u64 significand = (size & ((u64{1} << 52) - 1)) | hidden;
  const u64 kept = significand >> cut;
  const u64 rest = significand - (kept << cut);
  const u64 tie = u64{1} << (cut - 1);
  u64 up = 0;
  u32 beyond = infinity;
  if constexpr (R == Rounding::rn) {
    up = rest > tie || (rest == tie && (kept & 1u) != 0) ? 1 : 0;
  } else {
    const bool away = R == Rounding::rp ? sign == 0 : R == Rounding::rm ? sign != 0 : false;
    up = away && rest != 0 ? 1 : 0;
    beyond = away ? infinity : infinity - 1;
  }
  const u64 rounded = (static_cast<u64>(at - F::least_exponent) << F::fraction_bits) + kept + up;
  const u32 finite = rounded < infinity ? static_cast<u32>(rounded) : beyond;
  const u32 result = size < kInfinity<double> ? finite : infinity;
  return size > kInfinity<double> ? kHalfNan : result | sign;
}

/// Returns a + b rounded to odd: for an inexact sum, the neighbouring double with its last bit set.
HEDDLE_INLINE double odd_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  const u64 bits = bits_as<u64>(sum);
  const bool outwards = (error > 0.0) == (sum > 0.0);
  const u64 odd = (bits & 1u) != 0 ? bits : outwards ? bits + 1 : bits - 1;
  return bits_as<double>(error < 0.0 || error > 0.0 ? odd : bits);
}

template <>
class In<Half> {
 public:
  HEDDLE_INLINE In(const LaneOperands& o, int slot) : word_(o.src[slot][0]->lane) {}
  HEDDLE_INLINE float operator[](int i) const { return widened<Half>(word_[i]); }

 private:
  const u32* word_;
};
template <>
class In<Brain> {
 public:
  HEDDLE_INLINE In(const LaneOperands& o, int slot) : word_(o.src[slot][0]->lane) {}
  HEDDLE_INLINE float operator[](int i) const { return widened<Brain>(word_[i]); }

 private:
  const u32* word_;
};

/// Applies the modifiers of a half-precision operation (.ftz, .sat, .relu) to its operands and its result.
struct HalfShape {
  bool ftz, sat, relu;

  HEDDLE_INLINE explicit HalfShape(const Modifiers& m) : ftz(m.ftz), sat(m.sat), relu(m.relu) {}
  template <class F>
  HEDDLE_INLINE u32 in(u32 bits) const {
    return ftz ? half_flushed<F>(bits) : bits;
  }
  /// Applies .sat or .relu before rounding. After rounding, the result would be the same, because rounding
  /// cannot cross 0 or 1.
  HEDDLE_INLINE double clamped(double v) const {
    if (sat) return saturated(v);
    return relu && v <= 0.0 ? 0.0 : v;
  }
  /// Rounds a result to f16 or bf16. With .ftz, the result is first rounded to the precision of normal numbers,
  /// and then flushed to zero if this rounded result is below the least normal number (docs/on-gpu.md).
  template <class F>
  HEDDLE_INLINE u32 out(double v) const {
    constexpr double least =
        F::least_exponent == Half::least_exponent ? 0x1p-14 * (1 - 0x1p-12) : 0x1p-126 * (1 - 0x1p-9);
    const double kept = clamped(v);
    const u32 bits = narrowed<F>(kept);
    return ftz && kept < least && kept > -least ? bits & kHalfSign : bits;
  }
};

/// Computes the half-precision operation Op in double and rounds its result once.
template <class F, class Op>
struct HalfComputed {
  HalfShape shape;
  HEDDLE_INLINE explicit HalfComputed(const Modifiers& m) : shape(m) {}
  template <class... Bits>
  HEDDLE_INLINE u32 operator()(Bits... operands) const {
    return shape.out<F>(Op::apply(static_cast<double>(widened<F>(shape.in<F>(operands)))...));
  }
};

/// Computes d = op(a, b, ...) for each lane. Pair: false for one value in the low 16 bits of a word, true
/// for two values in each word. `Op` uses the low 16 bits of its operands and result.
template <class Op, int Sources, bool Pair>
void map_halves(const Instruction& instruction, LaneOperands& o) {
  const Op op(instruction.modifiers);
  LaneVec sink;
  u32* d = (o.dst[0][0] ? o.dst[0][0] : &sink)->lane;
  const u32* a = o.src[0][0]->lane;
  const u32* b = o.src[Sources > 1 ? 1 : 0][0]->lane;
  const u32* c = o.src[Sources > 2 ? 2 : 0][0]->lane;
  const auto apply = [&op](u32 x, u32 y, u32 z) {
    if constexpr (Sources == 1) return op(x);
    if constexpr (Sources == 2) return op(x, y);
    if constexpr (Sources == 3) return op(x, y, z);
  };
  HEDDLE_EACH_LANE(i) {
    const u32 low = apply(a[i], b[i], c[i]);
    if constexpr (Pair)
      d[i] = low | apply(a[i] >> 16, b[i] >> 16, c[i] >> 16) << 16;
    else
      d[i] = low;
  }
}

template <template <class> class Op, int Sources>
LaneFunction find_half_map(DataType t) {
  switch (t) {
    case DataType::f16:
      return map_halves<Op<Half>, Sources, false>;
    case DataType::f16x2:
      return map_halves<Op<Half>, Sources, true>;
    case DataType::bf16:
      return map_halves<Op<Brain>, Sources, false>;
    case DataType::bf16x2:
      return map_halves<Op<Brain>, Sources, true>;
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
