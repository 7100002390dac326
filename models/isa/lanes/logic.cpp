// Lane functions (each executes one instruction for all 32 lanes) of bitwise logic on words and predicates,
// and of shifts.

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

struct And {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  HEDDLE_INLINE static T apply(T a) {
    return static_cast<T>(~a);
  }
};
struct LogicalNot {
  template <class T>
  HEDDLE_INLINE static T apply(T a) {
    return a == 0 ? T{1} : T{0};
  }
};

template <class Op>
void on_predicates(const Instruction&, LaneOperands& o) {
  o.pred_dst[0] = Op::template apply<LaneMask>(o.pred_src[0], o.pred_src[1]);
}
void not_predicate(const Instruction&, LaneOperands& o) { o.pred_dst[0] = ~o.pred_src[0]; }

struct ShiftLeft {
  template <class T>
  HEDDLE_INLINE static T apply(T a, u32 b) {
    constexpr u32 width = kBits<T>;
    return b >= width ? T{0} : static_cast<T>(Word<T>{a} << (b & (width - 1)));
  }
};
struct ShiftRight {
  template <class T>
  HEDDLE_INLINE static T apply(T a, u32 b) {
    constexpr u32 width = kBits<T>;
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> (b < width ? b : width - 1));
    else
      return b >= width ? T{0} : static_cast<T>(a >> (b & (width - 1)));
  }
};

template <FunnelMode Mode>
struct Funnel {
  HEDDLE_INLINE static u32 apply(u32 a, u32 b, u32 c) {
    const u64 both = u64{b} << 32 | a;
    constexpr bool clamp = Mode == FunnelMode::l_clamp || Mode == FunnelMode::r_clamp;
    const u32 n = clamp ? (c > 32 ? 32u : c) : c & 31u;
    if constexpr (Mode == FunnelMode::l_clamp || Mode == FunnelMode::l_wrap)
      return static_cast<u32>(both << n >> 32);
    else
      return static_cast<u32>(both >> n);
  }
};

// lop3: looks up the bits of (a, b, c) in the truth table of the instruction. Selects first by c, then by b,
// then by a.
void look_up(const Instruction& instruction, LaneOperands& o) {
  const u32 table = instruction.modifiers.lut;
  // Entries of the truth table of lop3, one for each value of the bits (a, b). zero: the table's value for c = 0, as
  // a word of all ones or all zeros. flip: all ones if the table's values for c = 0 and c = 1 differ.
  u32 zero[4];
  u32 flip[4];
  for (u32 k = 0; k < 4; ++k) {
    zero[k] = 0u - (table >> (2 * k) & 1u);
    flip[k] = zero[k] ^ (0u - (table >> (2 * k + 1) & 1u));
  }
  const In<u32> a(o, 0);
  const In<u32> b(o, 1);
  const In<u32> c(o, 2);
  const Out<u32> d(o, 0);
  LaneVec flags;
  HEDDLE_EACH_LANE(i) {
    u32 row[4];
    for (int k = 0; k < 4; ++k) row[k] = zero[k] ^ (c[i] & flip[k]);
    const u32 low = row[0] ^ (b[i] & (row[0] ^ row[1]));
    const u32 high = row[2] ^ (b[i] & (row[2] ^ row[3]));
    const u32 result = low ^ (a[i] & (low ^ high));
    d.set(i, result);
    flags.lane[i] = result != 0 ? ~0u : 0u;
  }
  const BoolOp combine = instruction.modifiers.bool_op;
  if (combine == BoolOp::none) return;
  const LaneMask set = collect(flags);
  const LaneMask q = o.pred_src[3];
  o.pred_dst[1] = combine == BoolOp::and_ ? set & q : combine == BoolOp::or_ ? set | q : set ^ q;
}

template <class Op>
LaneFunction bitwise(DataType t) {
  if (t == DataType::pred) return on_predicates<Op>;
  if (bits_of(t) == 64) return map2_words<Op>;
  return with_word(t, []<class T>(Tag<T>) -> LaneFunction { return map2<Op, T, T, T>; });
}

LaneFunction find_funnel(FunnelMode mode) {
  switch (mode) {
    case FunnelMode::none:
      return nullptr;
    case FunnelMode::l_clamp:
      return map3<Funnel<FunnelMode::l_clamp>, u32, u32, u32, u32>;
    case FunnelMode::l_wrap:
      return map3<Funnel<FunnelMode::l_wrap>, u32, u32, u32, u32>;
    case FunnelMode::r_clamp:
      return map3<Funnel<FunnelMode::r_clamp>, u32, u32, u32, u32>;
    case FunnelMode::r_wrap:
      return map3<Funnel<FunnelMode::r_wrap>, u32, u32, u32, u32>;
  }
  return nullptr;
}

}  // namespace

LaneFunction find_logic(const Instruction& i) {
  switch (i.op) {
    case Opcode::and_:
      return bitwise<And>(i.type);
    case Opcode::or_:
      return bitwise<Or>(i.type);
    case Opcode::xor_:
      return bitwise<Xor>(i.type);
    case Opcode::not_:
      if (i.type == DataType::pred) return not_predicate;
      if (bits_of(i.type) == 64) return map1_words<Not>;
      return with_word(i.type, []<class T>(Tag<T>) -> LaneFunction { return map1<Not, T, T>; });
    case Opcode::cnot:
      return with_word(i.type, []<class T>(Tag<T>) -> LaneFunction { return map1<LogicalNot, T, T>; });
    case Opcode::shl:
      return with_word(i.type, []<class T>(Tag<T>) -> LaneFunction { return map2<ShiftLeft, T, T, u32>; });
    case Opcode::shr:
      return with_integer(i.type,
                          []<class T>(Tag<T>) -> LaneFunction { return map2<ShiftRight, T, T, u32>; });
    case Opcode::shf:
      return bits_of(i.type) == 32 ? find_funnel(i.modifiers.funnel) : nullptr;
    case Opcode::lop3:
      return bits_of(i.type) == 32 ? look_up : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
