// Lane functions (each executes one instruction for all 32 lanes) on the bytes and 16-bit halves of a word:
// dot products (dp4a, dp2a), absolute differences (vabsdiff4), and byte permutation (prmt).

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

template <class T>
HEDDLE_INLINE s32 part(u32 word, int index) {
  return static_cast<T>(word >> (index * kBits<T>));
}

template <class A, class B>
struct DotBytes {
  HEDDLE_INLINE static u32 apply(u32 a, u32 b, u32 c) {
    for (int k = 0; k < 4; ++k) c += static_cast<u32>(part<A>(a, k) * part<B>(b, k));
    return c;
  }
};
// dp2a: multiplies the two 16-bit halves of a by two bytes of b, and adds both products to c. `High`: true if
// the bytes are the upper two of b, false if they are the lower two.
template <class A, class B, bool High>
struct DotHalves {
  HEDDLE_INLINE static u32 apply(u32 a, u32 b, u32 c) {
    for (int k = 0; k < 2; ++k) c += static_cast<u32>(part<A>(a, k) * part<B>(b, k + (High ? 2 : 0)));
    return c;
  }
};

HEDDLE_INLINE s32 clamped(s32 v, s32 low, s32 high) { return v < low ? low : v > high ? high : v; }

// vabsdiff4: computes the absolute differences of the four bytes of a and b, which have type S. D:
// destination type. Saturate: form .sat, which clamps each difference to the range of D. Accumulate: form
// .add, which adds the differences to c and does not saturate.
template <class D, class S, bool Accumulate, bool Saturate>
struct AbsoluteDifferences {
  HEDDLE_INLINE static u32 apply(u32 a, u32 b, u32 c) {
    u32 bytes = 0;
    for (int k = 0; k < 4; ++k) {
      const s32 difference = part<S>(a, k) - part<S>(b, k);
      s32 size = difference < 0 ? -difference : difference;
      if (Accumulate)
        c += static_cast<u32>(size);
      else {
        if (Saturate) size = clamped(size, std::numeric_limits<D>::min(), std::numeric_limits<D>::max());
        bytes |= (static_cast<u32>(size) & 0xffu) << (8 * k);
      }
    }
    return Accumulate ? c : bytes;
  }
};

// Returns byte number (selector & 7) of `bytes`, the concatenation {b, a}.
HEDDLE_INLINE u32 pick_byte(u64 bytes, u32 selector) {
  return static_cast<u32>(bytes >> ((selector & 7u) * 8u)) & 0xffu;
}
struct Permute {
  HEDDLE_INLINE static u32 apply(u32 a, u32 b, u32 c) {
    const u64 bytes = u64{a} | u64{b} << 32;
    u32 result = 0;
    for (u32 k = 0; k < 4; ++k) {
      const u32 selector = c >> (4u * k);
      const u32 byte = pick_byte(bytes, selector);
      const u32 sign = (byte & 0x80u) != 0 ? 0xffu : 0u;
      result |= ((selector & 8u) != 0 ? sign : byte) << (8u * k);
    }
    return result;
  }
};
// Selectors with which the default mode of prmt gives the same result as a special mode. The special modes
// are implemented with these selectors. Index: low two bits of c (PTX ISA, prmt, tables of modes).
struct Selectors {
  u32 by_control[4];
};
template <PermuteMode Mode>
constexpr Selectors kSelectors{};
template <>
constexpr Selectors kSelectors<PermuteMode::f4e>{{0x3210, 0x4321, 0x5432, 0x6543}};
template <>
constexpr Selectors kSelectors<PermuteMode::b4e>{{0x5670, 0x6701, 0x7012, 0x0123}};
template <>
constexpr Selectors kSelectors<PermuteMode::rc8>{{0x0000, 0x1111, 0x2222, 0x3333}};
template <>
constexpr Selectors kSelectors<PermuteMode::ecl>{{0x3210, 0x3211, 0x3222, 0x3333}};
template <>
constexpr Selectors kSelectors<PermuteMode::ecr>{{0x0000, 0x1110, 0x2210, 0x3210}};
template <>
constexpr Selectors kSelectors<PermuteMode::rc16>{{0x1010, 0x3232, 0x1010, 0x3232}};

template <PermuteMode Mode>
struct PermuteBy {
  HEDDLE_INLINE static u32 apply(u32 a, u32 b, u32 c) {
    return Permute::apply(a, b, kSelectors<Mode>.by_control[c & 3u]);
  }
};

LaneFunction find_permute(PermuteMode mode) {
  switch (mode) {
    case PermuteMode::none:
      return map3<Permute, u32, u32, u32, u32>;
    case PermuteMode::f4e:
      return map3<PermuteBy<PermuteMode::f4e>, u32, u32, u32, u32>;
    case PermuteMode::b4e:
      return map3<PermuteBy<PermuteMode::b4e>, u32, u32, u32, u32>;
    case PermuteMode::rc8:
      return map3<PermuteBy<PermuteMode::rc8>, u32, u32, u32, u32>;
    case PermuteMode::ecl:
      return map3<PermuteBy<PermuteMode::ecl>, u32, u32, u32, u32>;
    case PermuteMode::ecr:
      return map3<PermuteBy<PermuteMode::ecr>, u32, u32, u32, u32>;
    case PermuteMode::rc16:
      return map3<PermuteBy<PermuteMode::rc16>, u32, u32, u32, u32>;
  }
  return nullptr;
}

template <class A8, class A16, class B>
LaneFunction dot(const Instruction& i) {
  if (i.op == Opcode::dp4a) return map3<DotBytes<A8, B>, u32, u32, u32, u32>;
  if (i.modifiers.part == Part::lo) return map3<DotHalves<A16, B, false>, u32, u32, u32, u32>;
  return i.modifiers.part == Part::hi ? map3<DotHalves<A16, B, true>, u32, u32, u32, u32> : nullptr;
}
LaneFunction find_dot(const Instruction& i) {
  if (bits_of(i.type) != 32 || bits_of(i.source_type) != 32) return nullptr;
  if (is_signed(i.type)) return is_signed(i.source_type) ? dot<s8, s16, s8>(i) : dot<s8, s16, u8>(i);
  return is_signed(i.source_type) ? dot<u8, u16, s8>(i) : dot<u8, u16, u8>(i);
}

template <class D, class S>
LaneFunction differences(const Modifiers& m) {
  if (m.accumulate) return m.sat ? nullptr : map3<AbsoluteDifferences<D, S, true, false>, u32, u32, u32, u32>;
  return m.sat ? map3<AbsoluteDifferences<D, S, false, true>, u32, u32, u32, u32>
               : map3<AbsoluteDifferences<D, S, false, false>, u32, u32, u32, u32>;
}
LaneFunction find_differences(const Instruction& i) {
  if (bits_of(i.type) != 32 || bits_of(i.source_type) != 32) return nullptr;
  if (is_signed(i.type))
    return is_signed(i.source_type) ? differences<s8, s8>(i.modifiers) : differences<s8, u8>(i.modifiers);
  return is_signed(i.source_type) ? differences<u8, s8>(i.modifiers) : differences<u8, u8>(i.modifiers);
}

}  // namespace

LaneFunction find_bytes(const Instruction& i) {
  switch (i.op) {
    case Opcode::prmt:
      return bits_of(i.type) == 32 ? find_permute(i.modifiers.permute) : nullptr;
    case Opcode::dp4a:
    case Opcode::dp2a:
      return find_dot(i);
    case Opcode::vabsdiff4:
      return find_differences(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
