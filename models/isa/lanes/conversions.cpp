// Lane functions (each executes one instruction for all 32 lanes) of cvt between integer types, f32 and f64.
// These functions round to nearest or to integers. Other rounding modes are in directed.cpp.

#include "models/isa/lanes/lane_conversions.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

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
