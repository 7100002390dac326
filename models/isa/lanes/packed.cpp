// Lane functions (each executes one instruction for all 32 lanes) on pairs of 16-bit integers, and integer
// minimum and maximum with .relu.

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

struct Sum {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(static_cast<u32>(a) + static_cast<u32>(b));
  }
};
template <bool Relu>
struct Minimum {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    const T least = b < a ? b : a;
    return Relu && least < T{0} ? T{0} : least;
  }
};
template <bool Relu>
struct Maximum {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    const T greatest = a < b ? b : a;
    return Relu && greatest < T{0} ? T{0} : greatest;
  }
};

template <class Op, class T>
struct Both {
  HEDDLE_INLINE static u32 apply(u32 a, u32 b) {
    const auto low = static_cast<u16>(Op::apply(static_cast<T>(a), static_cast<T>(b)));
    const auto high = static_cast<u16>(Op::apply(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return u32{low} | u32{high} << 16;
  }
};

template <template <bool> class Op>
LaneFunction extreme(const Instruction& i) {
  if (i.type == DataType::u16x2)
    return i.modifiers.relu ? nullptr : map2<Both<Op<false>, u16>, u32, u32, u32>;
  if (i.type == DataType::s16x2)
    return i.modifiers.relu ? map2<Both<Op<true>, s16>, u32, u32, u32>
                            : map2<Both<Op<false>, s16>, u32, u32, u32>;
  return i.type == DataType::s32 && i.modifiers.relu ? map2<Op<true>, s32, s32, s32> : nullptr;
}

}  // namespace

LaneFunction find_packed(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (i.source_type != i.type || m.sat || m.carry_in || m.carry_out || m.part != Part::none) return nullptr;
  switch (i.op) {
    case Opcode::add:
      return m.relu || !is_pair(i.type) ? nullptr : map2<Both<Sum, u16>, u32, u32, u32>;
    case Opcode::min:
      return extreme<Minimum>(i);
    case Opcode::max:
      return extreme<Maximum>(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
