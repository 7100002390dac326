// Lane functions (each executes one instruction for all 32 lanes) of integer arithmetic of 16, 32 and 64
// bits without carry.

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

// Integer type of twice the width of T, in which products are exact.
template <class T>
struct Twice;
template <>
struct Twice<u16> {
  using type = u32;
};
template <>
struct Twice<s16> {
  using type = s32;
};
template <>
struct Twice<u32> {
  using type = u64;
};
template <>
struct Twice<s32> {
  using type = s64;
};
template <>
struct Twice<u64> {
  using type = u128;
};
template <>
struct Twice<s64> {
  using type = s128;
};
template <class T>
using TwiceT = typename Twice<T>::type;
template <class T>
using Unsigned = std::make_unsigned_t<T>;

// Type in which arithmetic wraps around. For 16-bit operands: u32, because promotion to int could overflow.
template <class T>
using Modular = std::conditional_t<(sizeof(T) < 4), u32, Unsigned<T>>;

struct Add {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(Modular<T>(a) + Modular<T>(b));
  }
};
struct Subtract {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(Modular<T>(a) - Modular<T>(b));
  }
};
struct MultiplyLow {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(Modular<T>(a) * Modular<T>(b));
  }
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b, T c) {
    return static_cast<T>(Modular<T>(a) * Modular<T>(b) + Modular<T>(c));
  }
};
struct MultiplyHigh {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(static_cast<TwiceT<T>>(a) * static_cast<TwiceT<T>>(b) >> kBits<T>);
  }
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b, T c) {
    return Add::apply(apply(a, b), c);
  }
};
struct MultiplyWide {
  template <class T>
  HEDDLE_INLINE static TwiceT<T> apply(T a, T b) {
    return static_cast<TwiceT<T>>(static_cast<TwiceT<T>>(a) * static_cast<TwiceT<T>>(b));
  }
  template <class T>
  HEDDLE_INLINE static TwiceT<T> apply(T a, T b, TwiceT<T> c) {
    return Add::apply(apply(a, b), c);
  }
};

HEDDLE_INLINE s32 saturate(s64 v) {
  constexpr s64 low = std::numeric_limits<s32>::min();
  constexpr s64 high = std::numeric_limits<s32>::max();
  return static_cast<s32>(v < low ? low : v > high ? high : v);
}
struct AddSaturated {
  HEDDLE_INLINE static s32 apply(s32 a, s32 b) { return saturate(s64{a} + b); }
};
struct SubtractSaturated {
  HEDDLE_INLINE static s32 apply(s32 a, s32 b) { return saturate(s64{a} - b); }
};
struct MultiplyHighAddSaturated {
  HEDDLE_INLINE static s32 apply(s32 a, s32 b, s32 c) { return saturate(s64{MultiplyHigh::apply(a, b)} + c); }
};

template <class T>
struct Multiply24 {
  // mul24 and mad24: only the low 24 bits of the factors count. Signed factors are sign-extended from bit 23.
  HEDDLE_INLINE static TwiceT<T> product(T a, T b) {
    if constexpr (std::is_signed_v<T>)
      return s64{static_cast<s32>(static_cast<u32>(a) << 8) >> 8} *
             s64{static_cast<s32>(static_cast<u32>(b) << 8) >> 8};
    else
      return u64{a & 0xffffffu} * u64{b & 0xffffffu};
  }
};
struct Multiply24Low {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(Multiply24<T>::product(a, b));
  }
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b, T c) {
    return Add::apply(apply(a, b), c);
  }
};
struct Multiply24High {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(Multiply24<T>::product(a, b) >> 16);
  }
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b, T c) {
    return Add::apply(apply(a, b), c);
  }
};
struct Multiply24HighAddSaturated {
  HEDDLE_INLINE static s32 apply(s32 a, s32 b, s32 c) {
    return saturate(s64{Multiply24High::apply(a, b)} + c);
  }
};

struct Divide {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return Subtract::apply(T{0}, a);
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};

struct Negate {
  template <class T>
  HEDDLE_INLINE static T apply(T a) {
    return Subtract::apply(T{0}, a);
  }
};
struct Absolute {
  template <class T>
  HEDDLE_INLINE static T apply(T a) {
    return a < 0 ? Negate::apply(a) : a;
  }
};
struct Minimum {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
struct AbsoluteDifference {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b, T c) {
    return Add::apply(c, a < b ? Subtract::apply(b, a) : Subtract::apply(a, b));
  }
};

template <class Op>
LaneFunction unary(DataType t) {
  return with_integer(t, []<class T>(Tag<T>) -> LaneFunction { return map1<Op, T, T>; });
}
template <class Op>
LaneFunction binary(DataType t) {
  return with_integer(t, []<class T>(Tag<T>) -> LaneFunction { return map2<Op, T, T, T>; });
}
template <class Op>
LaneFunction ternary(DataType t) {
  return with_integer(t, []<class T>(Tag<T>) -> LaneFunction { return map3<Op, T, T, T, T>; });
}
template <class Op>
LaneFunction modular(DataType t) {
  return with_word(t, []<class T>(Tag<T>) -> LaneFunction { return map2<Op, T, T, T>; });
}

LaneFunction find_multiply(const Instruction& i) {
  switch (i.modifiers.part) {
    case Part::lo:
      return modular<MultiplyLow>(i.type);
    case Part::hi:
      return binary<MultiplyHigh>(i.type);
    case Part::wide:
      switch (i.type) {
        case DataType::u16:
          return map2<MultiplyWide, u32, u16, u16>;
        case DataType::s16:
          return map2<MultiplyWide, s32, s16, s16>;
        case DataType::u32:
          return map2<MultiplyWide, u64, u32, u32>;
        case DataType::s32:
          return map2<MultiplyWide, s64, s32, s32>;
        default:
          return nullptr;
      }
    case Part::none:
      return nullptr;
  }
  return nullptr;
}

LaneFunction find_multiply_add(const Instruction& i) {
  switch (i.modifiers.part) {
    case Part::lo:
      return with_word(i.type, []<class T>(Tag<T>) -> LaneFunction { return map3<MultiplyLow, T, T, T, T>; });
    case Part::hi:
      if (i.modifiers.sat)
        return i.type == DataType::s32 ? map3<MultiplyHighAddSaturated, s32, s32, s32, s32> : nullptr;
      return ternary<MultiplyHigh>(i.type);
    case Part::wide:
      switch (i.type) {
        case DataType::u16:
          return map3<MultiplyWide, u32, u16, u16, u32>;
        case DataType::s16:
          return map3<MultiplyWide, s32, s16, s16, s32>;
        case DataType::u32:
          return map3<MultiplyWide, u64, u32, u32, u64>;
        case DataType::s32:
          return map3<MultiplyWide, s64, s32, s32, s64>;
        default:
          return nullptr;
      }
    case Part::none:
      return nullptr;
  }
  return nullptr;
}

LaneFunction find_24_bit(const Instruction& i) {
  const bool add = i.op == Opcode::mad24;
  const bool high = i.modifiers.part == Part::hi;
  if (i.modifiers.part != Part::lo && !high) return nullptr;
  if (i.modifiers.sat)
    return add && high && i.type == DataType::s32 ? map3<Multiply24HighAddSaturated, s32, s32, s32, s32>
                                                  : nullptr;
  if (i.type != DataType::u32 && i.type != DataType::s32) return nullptr;
  return with_wide_integer(i.type, [=]<class T>(Tag<T>) -> LaneFunction {
    if (add) return high ? map3<Multiply24High, T, T, T, T> : map3<Multiply24Low, T, T, T, T>;
    return high ? map2<Multiply24High, T, T, T> : map2<Multiply24Low, T, T, T>;
  });
}

}  // namespace

LaneFunction find_integer(const Instruction& i) {
  const bool saturated = i.modifiers.sat;
  if (saturated && i.type != DataType::s32) return nullptr;
  switch (i.op) {
    case Opcode::add:
      return saturated ? map2<AddSaturated, s32, s32, s32> : modular<Add>(i.type);
    case Opcode::sub:
      return saturated ? map2<SubtractSaturated, s32, s32, s32> : modular<Subtract>(i.type);
    case Opcode::mad:
      return find_multiply_add(i);
    case Opcode::mul24:
    case Opcode::mad24:
      return find_24_bit(i);
    default:
      break;
  }
  if (saturated) return nullptr;
  switch (i.op) {
    case Opcode::mul:
      return find_multiply(i);
    case Opcode::div:
      return binary<Divide>(i.type);
    case Opcode::rem:
      return binary<Remainder>(i.type);
    case Opcode::neg:
      return unary<Negate>(i.type);
    case Opcode::abs:
      return is_signed(i.type) ? unary<Absolute>(i.type) : nullptr;
    case Opcode::min:
      return binary<Minimum>(i.type);
    case Opcode::max:
      return binary<Maximum>(i.type);
    case Opcode::sad:
      return ternary<AbsoluteDifference>(i.type);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
