// cvt between all integer types, f32 and f64; roundings to nearest and to integers (directed.cpp has the
// others).

#include "models/isa/lanes/lane_floats.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

/// Destination that is wider than the destination type: extends by the type's sign to the operand's width.
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

template <class D>
struct Truncate {
  template <class S>
  HEDDLE_INLINE static D apply(S v) {
    return static_cast<D>(v);
  }
};
template <class D>
struct Clamp {
  template <class S>
  HEDDLE_INLINE static D apply(S v) {
    constexpr D low = std::numeric_limits<D>::min();
    constexpr D high = std::numeric_limits<D>::max();
    if constexpr (std::is_signed_v<S>) {
      if (s64{v} < static_cast<s64>(std::is_signed_v<D> ? s64{low} : 0)) return low;
      return s64{v} >= 0 && static_cast<u64>(v) > static_cast<u64>(high) ? high : static_cast<D>(v);
    } else {
      return u64{v} > static_cast<u64>(high) ? high : static_cast<D>(v);
    }
  }
};

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

// PTX ISA, cvt: a NaN gives 0, but the top bit where f64 or 64-bit integers take part.
template <class D, class S>
constexpr D kIntegerOfNan = sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(u64{1} << (kBits<D> - 1))
                                                             : D{0};

// Both bounds are powers of two (or zero) and so exact in T.
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

template <class D>
struct ToFloat {
  template <class S>
  HEDDLE_INLINE static D apply(S v) {
    return static_cast<D>(v);
  }
};
template <class D>
struct ToFloatSaturated {
  template <class S>
  HEDDLE_INLINE static D apply(S v) {
    return v <= S{0} ? D{0} : D{1};
  }
};

template <Rounding R, bool Ftz, bool Sat>
struct RoundFloat {
  template <class T>
  HEDDLE_INLINE static T apply(T v) {
    const T whole = RoundToInteger<R, Ftz>::apply(v);
    return Sat ? saturated(whole) : canonical(whole);
  }
};
template <bool Ftz, bool Sat>
struct Widen {
  HEDDLE_INLINE static double apply(float v) {
    const double wide = static_cast<double>(Ftz ? flushed(v) : v);
    return Sat ? saturated(wide) : canonical(wide);
  }
};
template <bool Ftz, bool Sat>
struct Narrow {
  HEDDLE_INLINE static float apply(double v) {
    const float narrow = static_cast<float>(v);
    const float result = Ftz ? flushed(narrow) : narrow;
    return Sat ? saturated(result) : canonical(result);
  }
};

template <class S>
LaneFunction from_integer(const Instruction& i) {
  const bool sat = i.modifiers.sat;
  const auto to = [&]<class D>(Tag<D>) -> LaneFunction {
    return sat ? store_as<Clamp<D>, D, S>(i) : store_as<Truncate<D>, D, S>(i);
  };
  switch (i.type) {
    case DataType::u8:
    case DataType::b8:
      return to(Tag<u8>{});
    case DataType::s8:
      return to(Tag<s8>{});
    case DataType::u16:
    case DataType::b16:
      return to(Tag<u16>{});
    case DataType::s16:
      return to(Tag<s16>{});
    case DataType::u32:
    case DataType::b32:
      return to(Tag<u32>{});
    case DataType::s32:
      return to(Tag<s32>{});
    case DataType::u64:
    case DataType::b64:
      return to(Tag<u64>{});
    case DataType::s64:
      return to(Tag<s64>{});
    case DataType::f32:
      return sat ? convert<ToFloatSaturated<float>, float, S> : convert<ToFloat<float>, float, S>;
    case DataType::f64:
      return sat ? convert<ToFloatSaturated<double>, double, S> : convert<ToFloat<double>, double, S>;
    default:
      return nullptr;
  }
}

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

template <class T, bool Ftz, bool Sat>
LaneFunction to_same_float(Rounding r) {
  switch (r) {
    case Rounding::none:
      return convert<RoundFloat<Rounding::none, Ftz, Sat>, T, T>;
    case Rounding::rni:
      return convert<RoundFloat<Rounding::rni, Ftz, Sat>, T, T>;
    case Rounding::rzi:
      return convert<RoundFloat<Rounding::rzi, Ftz, Sat>, T, T>;
    case Rounding::rmi:
      return convert<RoundFloat<Rounding::rmi, Ftz, Sat>, T, T>;
    case Rounding::rpi:
      return convert<RoundFloat<Rounding::rpi, Ftz, Sat>, T, T>;
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

template <bool Ftz>
LaneFunction from_f32(const Instruction& i) {
  const bool sat = i.modifiers.sat;
  const Rounding r = i.modifiers.rounding;
  if (i.type == DataType::f32)
    return sat ? to_same_float<float, Ftz, true>(r) : to_same_float<float, Ftz, false>(r);
  if (i.type != DataType::f64) return from_float_to_integer<float, Ftz>(i);
  if (r != Rounding::none && r > Rounding::rp) return nullptr;
  return sat ? convert<Widen<Ftz, true>, double, float> : convert<Widen<Ftz, false>, double, float>;
}

LaneFunction from_f64(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (i.type == DataType::f32) {
    if (m.rounding > Rounding::rn) return nullptr;
    if (m.ftz)
      return m.sat ? convert<Narrow<true, true>, float, double> : convert<Narrow<true, false>, float, double>;
    return m.sat ? convert<Narrow<false, true>, float, double> : convert<Narrow<false, false>, float, double>;
  }
  if (m.ftz) return nullptr;
  if (i.type == DataType::f64)
    return m.sat ? to_same_float<double, false, true>(m.rounding)
                 : to_same_float<double, false, false>(m.rounding);
  return from_float_to_integer<double, false>(i);
}

}  // namespace

LaneFunction find_conversion(const Instruction& i) {
  switch (i.source_type) {
    case DataType::u8:
    case DataType::b8:
      return from_integer<u8>(i);
    case DataType::s8:
      return from_integer<s8>(i);
    case DataType::u16:
    case DataType::b16:
      return from_integer<u16>(i);
    case DataType::s16:
      return from_integer<s16>(i);
    case DataType::u32:
    case DataType::b32:
      return from_integer<u32>(i);
    case DataType::s32:
      return from_integer<s32>(i);
    case DataType::u64:
    case DataType::b64:
      return from_integer<u64>(i);
    case DataType::s64:
      return from_integer<s64>(i);
    case DataType::f32:
      return i.modifiers.ftz ? from_f32<true>(i) : from_f32<false>(i);
    case DataType::f64:
      return from_f64(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
