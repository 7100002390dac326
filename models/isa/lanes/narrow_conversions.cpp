// Lane functions (each executes one instruction for all 32 lanes) of cvt to tf32, and between pairs of
// 8-bit floats and f32 or f16x2.

#include "models/isa/lanes/lane_conversions.h"
#include "models/isa/lanes/lane_halves.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

constexpr u32 kSign = 0x80000000u, kInfinity = 0x7f800000u, kDropped = 0x1fffu;

// Rounds an f32 to the 10 fraction bits of tf32. Rounding works on the bit pattern, so that subnormal numbers
// are no special case.
template <Rounding R>
struct ToTf32 {
  bool relu, finite;
  HEDDLE_INLINE explicit ToTf32(const Modifiers& m) : relu(m.relu), finite(m.satfinite) {}
  HEDDLE_INLINE u32 operator()(u32 bits) const {
    const u32 sign = bits & kSign;
    u32 size = bits & ~kSign;
    if (size > kInfinity) return 0x7fffffffu;
    if (relu && sign) return 0;
    if (R == Rounding::rna) size += (kDropped + 1) / 2;
    if (R == Rounding::rn) size += kDropped / 2 + (size >> 13 & 1u);
    size &= ~kDropped;
    if (size > kInfinity) size = kInfinity;
    if (finite && size == kInfinity) size = kInfinity - kDropped - 1;
    return sign | size;
  }
};

// Floating-point formats of 8 bits. kLargest: the bit pattern of the largest finite number.
struct E4m3 {
  static constexpr int kFraction = 3, kBias = 7;
  static constexpr u32 kLargest = 0x7e, kNan = 0x7f;
};
struct E5m2 {
  static constexpr int kFraction = 2, kBias = 15;
  static constexpr u32 kLargest = 0x7b, kNan = 0x7f;
};

// Rounds to the nearest number of the format, ties to even. Values beyond the largest number of the format
// give the largest number.
template <class F>
HEDDLE_INLINE u32 narrowed_byte(float v, bool relu) {
  const u32 bits = bits_as<u32>(v), sign = bits >> 24 & 0x80u;
  const u32 size = bits & ~kSign;
  if (size > kInfinity) return F::kNan;
  if (relu && sign) return 0;
  const int exponent = static_cast<int>(size >> 23) - 127, least = 1 - F::kBias;
  if (exponent < least - F::kFraction - 1) return sign;
  const u32 significand = (size & 0x7fffffu) | 0x800000u;
  // Number of bits that the format drops: more for a subnormal number than for a normal one.
  const int drop = 23 - F::kFraction + (exponent < least ? least - exponent : 0);
  const u32 half = u32{1} << (drop - 1), rest = significand & ((u32{1} << drop) - 1);
  u32 kept = significand >> drop;
  if (rest > half || (rest == half && (kept & 1u))) ++kept;
  const u32 byte =
      exponent < least ? kept : kept + (static_cast<u32>(exponent + F::kBias - 1) << F::kFraction);
  return sign | (byte > F::kLargest ? F::kLargest : byte);
}

template <class F>
HEDDLE_INLINE u32 widened_byte(u32 byte, bool relu) {
  const u32 sign = (byte & 0x80u) << 8, size = byte & 0x7fu;
  const bool nan = F::kFraction == 3 ? size == F::kNan : size > 0x7cu;
  if (nan) return 0x7fffu;
  if (relu && sign) return 0;
  if (F::kFraction == 2) return sign | size << 8;
  const u32 field = size >> 3, fraction = size & 7u;
  if (field != 0) return sign | (field + 8) << 10 | fraction << 7;
  if (fraction == 0) return sign;
  const u32 lead = fraction >= 4 ? 2 : fraction >= 2 ? 1 : 0;
  return sign | (lead + 6) << 10 | (fraction << (10 - lead) & 0x3ffu);
}

template <class Op>
void to_tf32(const Instruction& instruction, LaneOperands& o) {
  const Op op(instruction.modifiers);
  const In<u32> a(o, 0);
  const Out<u32> d(o, 0);
  HEDDLE_EACH_LANE(i) d.set(i, op(a[i]));
}
// Converts two f32 values to a pair of 8-bit floats. The second value goes to the low byte.
template <class F>
void bytes_of_singles(const Instruction& instruction, LaneOperands& o) {
  const bool relu = instruction.modifiers.relu;
  const In<float> a(o, 0), b(o, 1);
  const Out<u16> d(o, 0);
  HEDDLE_EACH_LANE(i)
  d.set(i, static_cast<u16>(narrowed_byte<F>(a[i], relu) << 8 | narrowed_byte<F>(b[i], relu)));
}
template <class F>
void bytes_of_halves(const Instruction& instruction, LaneOperands& o) {
  const bool relu = instruction.modifiers.relu;
  const In<u32> a(o, 0);
  const Out<u16> d(o, 0);
  HEDDLE_EACH_LANE(i) {
    const float low = widened<Half>(a[i] & 0xffffu), high = widened<Half>(a[i] >> 16);
    d.set(i, static_cast<u16>(narrowed_byte<F>(high, relu) << 8 | narrowed_byte<F>(low, relu)));
  }
}
template <class F>
void halves_of_bytes(const Instruction& instruction, LaneOperands& o) {
  const bool relu = instruction.modifiers.relu;
  const In<u32> a(o, 0);
  const Out<u32> d(o, 0);
  HEDDLE_EACH_LANE(i)
  d.set(i, widened_byte<F>(a[i] & 0xffu, relu) | widened_byte<F>(a[i] >> 8 & 0xffu, relu) << 16);
}

LaneFunction find_to_tf32(Rounding r) {
  switch (r) {
    case Rounding::rna:
      return to_tf32<ToTf32<Rounding::rna>>;
    case Rounding::rn:
      return to_tf32<ToTf32<Rounding::rn>>;
    case Rounding::rz:
      return to_tf32<ToTf32<Rounding::rz>>;
    default:
      return nullptr;
  }
}

template <class F>
LaneFunction find_to_bytes(const Instruction& i) {
  if (!i.modifiers.satfinite) return nullptr;
  if (i.source_type == DataType::f32) return bytes_of_singles<F>;
  return i.source_type == DataType::f16x2 ? bytes_of_halves<F> : nullptr;
}

}  // namespace

LaneFunction find_narrow_conversion(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (m.sat || m.ftz) return nullptr;
  if (i.type == DataType::tf32)
    return i.source_type == DataType::f32 && !(m.relu && m.rounding == Rounding::rna)
               ? find_to_tf32(m.rounding)
               : nullptr;
  if (m.rounding != Rounding::rn) return nullptr;
  if (i.type == DataType::e4m3x2) return find_to_bytes<E4m3>(i);
  if (i.type == DataType::e5m2x2) return find_to_bytes<E5m2>(i);
  if (i.type != DataType::f16x2 || m.satfinite) return nullptr;
  if (i.source_type == DataType::e4m3x2) return halves_of_bytes<E4m3>;
  return i.source_type == DataType::e5m2x2 ? halves_of_bytes<E5m2> : nullptr;
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
