#pragma once

// Code that several conversions share: destination operands wider than the destination type, rounding to
// integers, and clamping.

#include "models/isa/lanes/lane_floats.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {

/// Destination operand that is wider than the destination type of its conversion. Signed results are
/// sign-extended to the operand's width, unsigned results zero-extended.
template <class T>
class ExtendedOut {
 public:
  HEDDLE_INLINE ExtendedOut(const Instruction& instruction, const LaneOperands& o) {
    const int bits = instruction.dst[0].bits;
    low_ = (o.dst[0][0] ? o.dst[0][0] : &sink_)->lane;
    high_ = (o.dst[0][1] ? o.dst[0][1] : &sink_)->lane;
    mask_ = bits >= 32 ? ~0u : (1u << bits) - 1u;
  }
  ExtendedOut(const ExtendedOut&) = delete;
  ExtendedOut& operator=(const ExtendedOut&) = delete;
  HEDDLE_INLINE void set(int i, T v) const {
    const u32 word = kFloating<T> ? bits_as<u32>(static_cast<float>(v)) : static_cast<u32>(v);
    low_[i] = word & mask_;
    high_[i] = std::is_signed_v<T> && !kFloating<T> ? static_cast<u32>(static_cast<s32>(word) >> 31) : 0u;
  }

 private:
  u32* low_;
  u32* high_;
  u32 mask_;
  LaneVec sink_;
};

template <class Op, class D, class S>
void convert(const Instruction&, LaneOperands& o) {
  const In<S> a(o, 0);
  const Out<D> d(o, 0);
  HEDDLE_EACH_LANE(i) d.set(i, Op::apply(a[i]));
}
template <class Op, class D, class S>
void convert_extended(const Instruction& instruction, LaneOperands& o) {
  const In<S> a(o, 0);
  const ExtendedOut<D> d(instruction, o);
  HEDDLE_EACH_LANE(i) d.set(i, Op::apply(a[i]));
}
template <class Op, class D, class S>
LaneFunction store_as(const Instruction& i) {
  if constexpr (sizeof(D) == 8 || kFloating<D>)
    return convert<Op, D, S>;
  else if constexpr (sizeof(D) == 4)
    return i.dst[0].bits == 64 ? convert_extended<Op, D, S> : convert<Op, D, S>;
  else
    return convert_extended<Op, D, S>;
}

HEDDLE_INLINE float round_even(float v) { return __builtin_rintf(v); }
HEDDLE_INLINE double round_even(double v) { return __builtin_rint(v); }
HEDDLE_INLINE float round_zero(float v) { return __builtin_truncf(v); }
HEDDLE_INLINE double round_zero(double v) { return __builtin_trunc(v); }
HEDDLE_INLINE float round_down(float v) { return __builtin_floorf(v); }
HEDDLE_INLINE double round_down(double v) { return __builtin_floor(v); }
HEDDLE_INLINE float round_up(float v) { return __builtin_ceilf(v); }
HEDDLE_INLINE double round_up(double v) { return __builtin_ceil(v); }

template <Rounding R, bool Ftz>
struct RoundToInteger {
  template <class T>
  HEDDLE_INLINE static T apply(T v) {
    if constexpr (Ftz) v = flushed(v);
    if constexpr (R == Rounding::rni) return round_even(v);
    if constexpr (R == Rounding::rzi) return round_zero(v);
    if constexpr (R == Rounding::rmi) return round_down(v);
    if constexpr (R == Rounding::rpi) return round_up(v);
    if constexpr (R == Rounding::none) return v;
  }
};

// Integer that a conversion from S to D returns for NaN (PTX ISA, cvt): only the top bit set if S or D has 64
// bits, otherwise 0.
template <class D, class S>
inline constexpr D kIntegerOfNan = sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(u64{1} << (kBits<D> - 1))
                                                                    : D{0};

// Converts a floating-point value to the integer type D with rounding R. Values beyond the range of D are
// clamped.
template <class D, Rounding R, bool Ftz>
struct ToInteger {
  template <class T>
  HEDDLE_INLINE static D apply(T v) {
    constexpr D least = std::numeric_limits<D>::min();
    constexpr D greatest = std::numeric_limits<D>::max();
    constexpr T low = static_cast<T>(least);
    constexpr T past = static_cast<T>((static_cast<u64>(greatest) >> 1) + 1) * 2;
    const T whole = RoundToInteger<R, Ftz>::apply(v);
    const bool fits = whole >= low && whole < past;
    using Step = std::conditional_t<(sizeof(D) < 4), s32, D>;
    const D inside = static_cast<D>(static_cast<Step>(fits ? whole : T{0}));
    const D outside = whole >= past ? greatest : whole < low ? least : kIntegerOfNan<D, T>;
    return fits ? inside : outside;
  }
};

template <class D, class S, bool Ftz>
LaneFunction to_integer(const Instruction& i) {
  switch (i.modifiers.rounding) {
    case Rounding::rni:
      return store_as<ToInteger<D, Rounding::rni, Ftz>, D, S>(i);
    case Rounding::none:
    case Rounding::rzi:
      return store_as<ToInteger<D, Rounding::rzi, Ftz>, D, S>(i);
    case Rounding::rmi:
      return store_as<ToInteger<D, Rounding::rmi, Ftz>, D, S>(i);
    case Rounding::rpi:
      return store_as<ToInteger<D, Rounding::rpi, Ftz>, D, S>(i);
    default:
      return nullptr;
  }
}

template <class S, bool Ftz>
LaneFunction from_float_to_integer(const Instruction& i) {
  switch (i.type) {
    case DataType::u8:
      return to_integer<u8, S, Ftz>(i);
    case DataType::s8:
      return to_integer<s8, S, Ftz>(i);
    case DataType::u16:
      return to_integer<u16, S, Ftz>(i);
    case DataType::s16:
      return to_integer<s16, S, Ftz>(i);
    case DataType::u32:
      return to_integer<u32, S, Ftz>(i);
    case DataType::s32:
      return to_integer<s32, S, Ftz>(i);
    case DataType::u64:
      return to_integer<u64, S, Ftz>(i);
    case DataType::s64:
      return to_integer<s64, S, Ftz>(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
