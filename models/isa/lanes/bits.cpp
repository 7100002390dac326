// Lane functions (each executes one instruction for all 32 lanes) that count bits, search bits, and extract
// or insert bit fields.

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

constexpr u32 kNotFound = 0xffffffffu;

struct CountOnes {
  HEDDLE_INLINE static u32 apply(u32 v) {
    v -= v >> 1 & 0x55555555u;
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    return v * 0x01010101u >> 24;
  }
  HEDDLE_INLINE static u32 apply(u64 v) {
    return apply(static_cast<u32>(v)) + apply(static_cast<u32>(v >> 32));
  }
};

template <class T>
HEDDLE_INLINE T smear(T v) {
  v |= v >> 1;
  v |= v >> 2;
  v |= v >> 4;
  v |= v >> 8;
  v |= v >> 16;
  if constexpr (sizeof(T) == 8) v |= v >> 32;
  return v;
}
struct LeadingZeros {
  template <class T>
  HEDDLE_INLINE static u32 apply(T v) {
    return static_cast<u32>(kBits<T>) - CountOnes::apply(smear(v));
  }
};

// bfind: returns the index of the highest bit that differs from the sign bit; for unsigned types, the index
// of the highest set bit. With ShiftAmount, returns the distance of this bit from the top bit instead.
template <bool ShiftAmount>
struct FindHighest {
  template <class T>
  HEDDLE_INLINE static u32 apply(T v) {
    using Unsigned = std::make_unsigned_t<T>;
    Unsigned bits = static_cast<Unsigned>(v);
    if constexpr (std::is_signed_v<T>) bits = v < 0 ? ~bits : bits;
    const u32 index = CountOnes::apply(smear(bits)) - 1u;
    if constexpr (ShiftAmount)
      return index == kNotFound ? kNotFound : static_cast<u32>(kBits<T>) - 1u - index;
    return index;
  }
};

struct FindNth {
  static u32 apply(u32 mask, u32 base, s32 offset) {
    if (base >= 32) return kNotFound;
    if (offset == 0) return mask >> base & 1u ? base : kNotFound;
    const int step = offset > 0 ? 1 : -1;
    s64 left = offset > 0 ? s64{offset} : -s64{offset};
    for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step)
      if (mask >> at & 1u)
        if (--left == 0) return static_cast<u32>(at);
    return kNotFound;
  }
};

struct Reverse {
  template <class T>
  HEDDLE_INLINE static T apply(T v) {
    constexpr T ones = ~T{0};
    v = (v >> 1 & ones / 3u) | (v & ones / 3u) << 1;
    v = (v >> 2 & ones / 5u) | (v & ones / 5u) << 2;
    v = (v >> 4 & ones / 17u) | (v & ones / 17u) << 4;
    v = (v >> 8 & ones / 257u) | (v & ones / 257u) << 8;
    if constexpr (sizeof(T) == 8) {
      v = (v >> 16 & 0x0000ffff0000ffffu) | (v & 0x0000ffff0000ffffu) << 16;
      return v >> 32 | v << 32;
    } else {
      return v >> 16 | v << 16;
    }
  }
};

template <class T>
HEDDLE_INLINE T low_mask(u32 length) {
  constexpr u32 width = kBits<T>;
  return length >= width ? ~T{0} : static_cast<T>((T{1} << (length & (width - 1))) - 1u);
}
template <class T>
HEDDLE_INLINE T shift_right(T v, u32 amount) {
  constexpr u32 width = kBits<T>;
  return amount >= width ? T{0} : static_cast<T>(v >> (amount & (width - 1)));
}
template <class T>
HEDDLE_INLINE T shift_left(T v, u32 amount) {
  constexpr u32 width = kBits<T>;
  return amount >= width ? T{0} : static_cast<T>(v << (amount & (width - 1)));
}

struct ExtractField {
  template <class T>
  HEDDLE_INLINE static T apply(T value, u32 position, u32 length) {
    using Unsigned = std::make_unsigned_t<T>;
    const u32 pos = position & 0xffu;
    const u32 len = length & 0xffu;
    const auto bits = static_cast<Unsigned>(value);
    const Unsigned field = low_mask<Unsigned>(len);
    Unsigned result = shift_right(bits, pos) & field;
    if constexpr (std::is_signed_v<T>) {
      // bfe: the sign of the extracted field is the top bit of the field. If the field extends past the end
      // of the operand, the sign is the operand's top bit.
      constexpr u32 top = kBits<T> - 1;
      const u32 last = pos + len - 1u;
      const Unsigned sign = shift_right(bits, last < top ? last : top) & 1u;
      const Unsigned present = field & shift_right(static_cast<Unsigned>(~Unsigned{0}), pos);
      const Unsigned extension = sign != 0 ? static_cast<Unsigned>(~present) : Unsigned{0};
      result = len == 0 ? Unsigned{0} : result | extension;
    }
    return static_cast<T>(result);
  }
};

template <class T>
void insert_field(const Instruction&, LaneOperands& o) {
  const In<T> a(o, 0);
  const In<T> b(o, 1);
  const In<u32> position(o, 2);
  const In<u32> length(o, 3);
  const Out<T> d(o, 0);
  HEDDLE_EACH_LANE(i) {
    const T field = shift_left(low_mask<T>(length[i] & 0xffu), position[i] & 0xffu);
    d.set(i, (b[i] & ~field) | (shift_left(a[i], position[i] & 0xffu) & field));
  }
}

template <bool Clamp>
HEDDLE_INLINE u32 field_size(u32 v) {
  if constexpr (Clamp) return v > 32 ? 32u : v;
  return v & 31u;
}
template <bool Clamp>
struct MakeMask {
  HEDDLE_INLINE static u32 apply(u32 a, u32 b) {
    return shift_left(low_mask<u32>(field_size<Clamp>(b)), field_size<Clamp>(a));
  }
};
template <bool Clamp>
struct Extend {
  template <class T>
  HEDDLE_INLINE static T apply(T a, u32 b) {
    return ExtractField::apply(a, 0u, field_size<Clamp>(b));
  }
};

template <class Op>
LaneFunction count(DataType t) {
  if (t == DataType::b32) return map1<Op, u32, u32>;
  return t == DataType::b64 ? map1<Op, u32, u64> : nullptr;
}

LaneFunction find_find_highest(const Instruction& i) {
  return with_wide_integer(i.type, [&i]<class T>(Tag<T>) -> LaneFunction {
    return i.modifiers.shift_amount ? map1<FindHighest<true>, u32, T> : map1<FindHighest<false>, u32, T>;
  });
}

}  // namespace

LaneFunction find_bits(const Instruction& i) {
  const bool wide = bits_of(i.type) == 64;
  const bool bit_type = i.type == DataType::b32 || i.type == DataType::b64;
  switch (i.op) {
    case Opcode::popc:
      return count<CountOnes>(i.type);
    case Opcode::clz:
      return count<LeadingZeros>(i.type);
    case Opcode::bfind:
      return find_find_highest(i);
    case Opcode::fns:
      return i.type == DataType::b32 ? map3<FindNth, u32, u32, u32, s32> : nullptr;
    case Opcode::brev:
      if (!bit_type) return nullptr;
      return wide ? map1<Reverse, u64, u64> : map1<Reverse, u32, u32>;
    case Opcode::bfe:
      return with_wide_integer(
          i.type, []<class T>(Tag<T>) -> LaneFunction { return map3<ExtractField, T, T, u32, u32>; });
    case Opcode::bfi:
      if (!bit_type) return nullptr;
      return wide ? insert_field<u64> : insert_field<u32>;
    case Opcode::bmsk:
      if (i.type != DataType::b32) return nullptr;
      return i.modifiers.clamp ? map2<MakeMask<true>, u32, u32, u32> : map2<MakeMask<false>, u32, u32, u32>;
    case Opcode::szext:
      if (i.type == DataType::s32)
        return i.modifiers.clamp ? map2<Extend<true>, s32, s32, u32> : map2<Extend<false>, s32, s32, u32>;
      if (i.type == DataType::u32)
        return i.modifiers.clamp ? map2<Extend<true>, u32, u32, u32> : map2<Extend<false>, u32, u32, u32>;
      return nullptr;
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
