// Lane functions (each executes one instruction for all 32 lanes) of cvt from and to f16 and bf16, with all
// rounding modes, .sat, .relu and .satfinite.

#include "models/isa/lanes/lane_conversions.h"
#include "models/isa/lanes/lane_halves.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

// Converts v to double. Integers of more than 53 bits are rounded to odd, so that the later rounding to f16
// or bf16 is correct.
template <class S>
HEDDLE_INLINE double in_double(S v) {
  if constexpr (kFloating<S> || sizeof(S) < 8) {
    return static_cast<double>(v);
  } else {
    const bool negative = std::is_signed_v<S> && v < S{0};
    const u64 size = negative ? 0 - static_cast<u64>(v) : static_cast<u64>(v);
    const u64 odd = (size & ~u64{0x7ff}) | ((size & 0x7ff) != 0 ? u64{0x800} : 0);
    const double value = static_cast<double>(size >> 53 != 0 ? odd : size);
    return negative ? -value : value;
  }
}

// Converts to f16 or bf16 (F) with rounding R. If `Whole` is not `none`, the value is first rounded to an
// integer in the mode `Whole`.
template <class F, Rounding R, Rounding Whole = Rounding::none>
struct Narrowed {
  HalfShape shape;
  bool finite;
  HEDDLE_INLINE explicit Narrowed(const Modifiers& m) : shape(m), finite(m.satfinite) {}
  template <class S>
  HEDDLE_INLINE u32 operator()(S v) const {
    if constexpr (std::is_same_v<S, float>) v = shape.ftz ? flushed(v) : v;
    const double value = RoundToInteger<Whole, false>::apply(in_double(v));
    const u32 bits = narrowed<F, R>(shape.clamped(value));
    return finite && (bits & 0x7fffu) == kHalfInfinity<F> ? bits - 1 : bits;
  }
};

template <class Op, class S>
void narrow_lanes(const Instruction& instruction, LaneOperands& o) {
  const Op op(instruction.modifiers);
  const In<S> a(o, 0);
  const Out<u16> d(o, 0);
  HEDDLE_EACH_LANE(i) d.set(i, static_cast<u16>(op(a[i])));
}
template <class Op>
void narrow_pairs(const Instruction& instruction, LaneOperands& o) {
  const Op op(instruction.modifiers);
  const In<float> a(o, 0), b(o, 1);
  const Out<u32> d(o, 0);
  HEDDLE_EACH_LANE(i) d.set(i, op(b[i]) | op(a[i]) << 16);
}

template <class F, class S>
LaneFunction rounded(Rounding r) {
  switch (r) {
    case Rounding::rn:
      return narrow_lanes<Narrowed<F, Rounding::rn>, S>;
    case Rounding::rz:
      return narrow_lanes<Narrowed<F, Rounding::rz>, S>;
    case Rounding::rm:
      return narrow_lanes<Narrowed<F, Rounding::rm>, S>;
    case Rounding::rp:
      return narrow_lanes<Narrowed<F, Rounding::rp>, S>;
    default:
      return nullptr;
  }
}
template <class F>
LaneFunction to_same_half(Rounding r) {
  switch (r) {
    case Rounding::none:
      return narrow_lanes<Narrowed<F, Rounding::rn>, F>;
    case Rounding::rni:
      return narrow_lanes<Narrowed<F, Rounding::rn, Rounding::rni>, F>;
    case Rounding::rzi:
      return narrow_lanes<Narrowed<F, Rounding::rn, Rounding::rzi>, F>;
    case Rounding::rmi:
      return narrow_lanes<Narrowed<F, Rounding::rn, Rounding::rmi>, F>;
    case Rounding::rpi:
      return narrow_lanes<Narrowed<F, Rounding::rn, Rounding::rpi>, F>;
    default:
      return nullptr;
  }
}
template <class F>
LaneFunction rounded_pair(Rounding r) {
  if (r == Rounding::rn) return narrow_pairs<Narrowed<F, Rounding::rn>>;
  return r == Rounding::rz ? narrow_pairs<Narrowed<F, Rounding::rz>> : nullptr;
}

template <class F>
LaneFunction to_half(const Instruction& i) {
  const Rounding r = i.modifiers.rounding;
  switch (i.source_type) {
    case DataType::u8:
      return rounded<F, u8>(r);
    case DataType::s8:
      return rounded<F, s8>(r);
    case DataType::u16:
      return rounded<F, u16>(r);
    case DataType::s16:
      return rounded<F, s16>(r);
    case DataType::u32:
      return rounded<F, u32>(r);
    case DataType::s32:
      return rounded<F, s32>(r);
    case DataType::u64:
      return rounded<F, u64>(r);
    case DataType::s64:
      return rounded<F, s64>(r);
    case DataType::f32:
      return rounded<F, float>(r);
    case DataType::f64:
      return rounded<F, double>(r);
    case DataType::f16:
      return i.type == DataType::f16 ? to_same_half<F>(r) : rounded<F, Half>(r);
    case DataType::bf16:
      return i.type == DataType::bf16 ? to_same_half<F>(r) : rounded<F, Brain>(r);
    default:
      return nullptr;
  }
}

template <class D, bool Ftz, bool Sat>
struct Widened {
  HEDDLE_INLINE static D apply(float v) {
    const D wide = static_cast<D>(Ftz ? flushed(v) : v);
    return Sat ? saturated(wide) : canonical(wide);
  }
};
template <class D, class S>
LaneFunction widen(const Modifiers& m) {
  if (m.rounding != Rounding::none) return nullptr;
  if constexpr (sizeof(D) == 4)
    if (m.ftz) return m.sat ? convert<Widened<D, true, true>, D, S> : convert<Widened<D, true, false>, D, S>;
  if (m.ftz) return nullptr;
  return m.sat ? convert<Widened<D, false, true>, D, S> : convert<Widened<D, false, false>, D, S>;
}
template <class S>
LaneFunction from_half(const Instruction& i) {
  if (i.modifiers.relu || i.modifiers.satfinite) return nullptr;
  if (i.type == DataType::f32) return widen<float, S>(i.modifiers);
  if (i.type == DataType::f64) return widen<double, S>(i.modifiers);
  return i.modifiers.ftz || i.modifiers.rounding == Rounding::none ? nullptr
                                                                   : from_float_to_integer<S, false>(i);
}

}  // namespace

LaneFunction find_half_conversion(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  const bool single = i.source_type == DataType::f32;
  if (m.ftz && !single && i.type != DataType::f32) return nullptr;
  if (m.sat && (m.relu || m.satfinite)) return nullptr;
  if ((m.relu || m.satfinite) && !single) return nullptr;
  switch (i.type) {
    case DataType::f16:
      return to_half<Half>(i);
    case DataType::bf16:
      return to_half<Brain>(i);
    case DataType::f16x2:
      return single && !m.sat && !m.ftz ? rounded_pair<Half>(m.rounding) : nullptr;
    case DataType::bf16x2:
      return single && !m.sat && !m.ftz ? rounded_pair<Brain>(m.rounding) : nullptr;
    default:
      break;
  }
  if (i.source_type == DataType::f16) return from_half<Half>(i);
  return i.source_type == DataType::bf16 ? from_half<Brain>(i) : nullptr;
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
