
#include "models/isa/lanes/lane_halves.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

// Compares two values. If one of the two values is NaN, ordered comparisons are false and unordered comparisons
// (names that end in u) are true.
template <Compare C, class T>
HEDDLE_INLINE bool compare(T a, T b) {
  if constexpr (C == Compare::eq) return a == b;
  if constexpr (C == Compare::ne) return kFloating<T> ? (a < b || a > b) : a != b;
  if constexpr (C == Compare::lt || C == Compare::lo) return a < b;
  if constexpr (C == Compare::le || C == Compare::ls) return a <= b;
  if constexpr (C == Compare::gt || C == Compare::hi) return a > b;
  if constexpr (C == Compare::ge || C == Compare::hs) return a >= b;
  if constexpr (C == Compare::equ) return !(a < b || a > b);
  if constexpr (C == Compare::neu) return a != b;
  if constexpr (C == Compare::ltu) return !(a >= b);
  if constexpr (C == Compare::leu) return !(a > b);
  if constexpr (C == Compare::gtu) return !(a <= b);
  if constexpr (C == Compare::geu) return !(a < b);
  if constexpr (C == Compare::num) return a == a && b == b;
  if constexpr (C == Compare::nan) return a != a || b != b;
}

template <Compare C, bool Ftz, class T>
HEDDLE_INLINE LaneMask compare_lanes(const LaneOperands& o) {
  LaneVec flags;
  if constexpr (sizeof(T) == 8) {
    const Pairs<T> a(o, 0);
    const Pairs<T> b(o, 1);
    Pairs<u64> wide;
    HEDDLE_EACH_LANE(i) wide.value[i] = compare<C, T>(a.value[i], b.value[i]) ? ~u64{0} : u64{0};
    LaneVec unused;
    wide.write_words(unused, flags);
  } else {
    const In<T> a(o, 0);
    const In<T> b(o, 1);
    HEDDLE_EACH_LANE(i) {
      if constexpr (Ftz)
        flags.lane[i] = compare<C, T>(flushed(a[i]), flushed(b[i])) ? ~0u : 0u;
      else
        flags.lane[i] = compare<C, T>(a[i], b[i]) ? ~0u : 0u;
    }
  }
  return collect(flags);
}

HEDDLE_INLINE LaneMask combine(BoolOp op, LaneMask test, LaneMask with) {
  switch (op) {
    case BoolOp::none:
      return test;
    case BoolOp::and_:
      return test & with;
    case BoolOp::or_:
      return test | with;
    case BoolOp::xor_:
      return test ^ with;
  }
  return test;
}

template <Compare C, bool Ftz, class T>
void set_predicate(const Instruction& instruction, LaneOperands& o) {
  const LaneMask test = compare_lanes<C, Ftz, T>(o);
  const BoolOp op = instruction.modifiers.bool_op;
  if (op == BoolOp::none) {
    o.pred_dst[0] = test;
    o.pred_dst[1] = ~test;
    return;
  }
  o.pred_dst[0] = combine(op, test, o.pred_src[2]);
  o.pred_dst[1] = combine(op, ~test, o.pred_src[2]);
}

u32 truth_of(DataType t) {
  switch (t) {
    case DataType::f32:
      return bits_as<u32>(1.0f);
    case DataType::f16:
      return 0x3c00;
    case DataType::bf16:
      return 0x3f80;
    case DataType::f16x2:
      return 0x3c003c00;
    case DataType::bf16x2:
      return 0x3f803f80;
    case DataType::u16:
    case DataType::s16:
      return 0xffff;
    default:
      return ~0u;
  }
}

template <Compare C, bool Ftz, class T>
void set_word(const Instruction& instruction, LaneOperands& o) {
  const LaneMask mask = combine(instruction.modifiers.bool_op, compare_lanes<C, Ftz, T>(o), o.pred_src[2]);
  const u32 truth = truth_of(instruction.type);
  const Out<u32> d(o, 0);
  HEDDLE_EACH_LANE(i) d.set(i, lane_of(mask, i) & truth);
}

// Compares two operands of f16 or bf16 values in each lane. `High`: true to compare the high halves of the
// words, false to compare the low halves.
template <Compare C, class F, bool High>
HEDDLE_INLINE LaneMask compare_halves(const LaneOperands& o, bool ftz) {
  const u32* a = o.src[0][0]->lane;
  const u32* b = o.src[1][0]->lane;
  LaneVec flags;
  HEDDLE_EACH_LANE(i) {
    const u32 x = High ? a[i] >> 16 : a[i], y = High ? b[i] >> 16 : b[i];
    const float left = widened<F>(ftz ? half_flushed<F>(x) : x),
                right = widened<F>(ftz ? half_flushed<F>(y) : y);
    flags.lane[i] = compare<C, float>(left, right) ? ~0u : 0u;
  }
  return collect(flags);
}

template <Compare C, class F>
void set_half_predicate(const Instruction& instruction, LaneOperands& o) {
  const Modifiers& m = instruction.modifiers;
  const LaneMask test = compare_halves<C, F, false>(o, m.ftz);
  const LaneMask other = is_pair(instruction.type) ? compare_halves<C, F, true>(o, m.ftz) : ~test;
  o.pred_dst[0] = combine(m.bool_op, test, o.pred_src[2]);
  o.pred_dst[1] = combine(m.bool_op, other, o.pred_src[2]);
}

template <Compare C, class F>
void set_half_word(const Instruction& instruction, LaneOperands& o) {
  const Modifiers& m = instruction.modifiers;
  const u32 truth = truth_of(instruction.type);
  const bool pair = is_pair(instruction.source_type);
  const LaneMask low = combine(m.bool_op, compare_halves<C, F, false>(o, m.ftz), o.pred_src[2]);
  const LaneMask high = pair ? combine(m.bool_op, compare_halves<C, F, true>(o, m.ftz), o.pred_src[2]) : low;
  const Out<u32> d(o, 0);
  HEDDLE_EACH_LANE(i)
  d.set(i, (lane_of(low, i) & truth & 0xffffu) | (lane_of(high, i) & truth & 0xffff0000u));
}

struct Forms {
  LaneFunction predicate = nullptr, word = nullptr;
};
template <Compare C, bool Ftz, class T>
constexpr Forms kForms{set_predicate<C, Ftz, T>, set_word<C, Ftz, T>};
template <Compare C, class F>
constexpr Forms kHalfForms{set_half_predicate<C, F>, set_half_word<C, F>};

template <class T>
Forms integer_forms(Compare c, bool orders) {
  if (c == Compare::eq) return kForms<Compare::eq, false, T>;
  if (c == Compare::ne) return kForms<Compare::ne, false, T>;
  if (!orders) return {};
  using Unsigned = std::make_unsigned_t<T>;
  switch (c) {
    case Compare::lt:
      return kForms<Compare::lt, false, T>;
    case Compare::le:
      return kForms<Compare::le, false, T>;
    case Compare::gt:
      return kForms<Compare::gt, false, T>;
    case Compare::ge:
      return kForms<Compare::ge, false, T>;
    case Compare::lo:
      return kForms<Compare::lt, false, Unsigned>;
    case Compare::ls:
      return kForms<Compare::le, false, Unsigned>;
    case Compare::hi:
      return kForms<Compare::gt, false, Unsigned>;
    case Compare::hs:
      return kForms<Compare::ge, false, Unsigned>;
    default:
      return {};
  }
}
template <template <Compare> class Select>
Forms float_forms(Compare c) {
  switch (c) {
    case Compare::eq:
      return Select<Compare::eq>::forms;
    case Compare::ne:
      return Select<Compare::ne>::forms;
    case Compare::lt:
      return Select<Compare::lt>::forms;
    case Compare::le:
      return Select<Compare::le>::forms;
    case Compare::gt:
      return Select<Compare::gt>::forms;
    case Compare::ge:
      return Select<Compare::ge>::forms;
    case Compare::equ:
      return Select<Compare::equ>::forms;
    case Compare::neu:
      return Select<Compare::neu>::forms;
    case Compare::ltu:
      return Select<Compare::ltu>::forms;
    case Compare::leu:
      return Select<Compare::leu>::forms;
    case Compare::gtu:
      return Select<Compare::gtu>::forms;
    case Compare::geu:
      return Select<Compare::geu>::forms;
    case Compare::num:
      return Select<Compare::num>::forms;
    case Compare::nan:
      return Select<Compare::nan>::forms;
    default:
      return {};
  }
}
template <Compare C>
struct Single {
  static constexpr Forms forms = kForms<C, false, float>;
};
template <Compare C>
struct Flushed {
  static constexpr Forms forms = kForms<C, true, float>;
};
template <Compare C>
struct Double {
  static constexpr Forms forms = kForms<C, false, double>;
};
template <Compare C>
struct OfHalf {
  static constexpr Forms forms = kHalfForms<C, Half>;
};
template <Compare C>
struct OfBrain {
  static constexpr Forms forms = kHalfForms<C, Brain>;
};
Forms find_forms(DataType t, const Modifiers& m) {
  if (m.ftz && t != DataType::f32 && t != DataType::f16 && t != DataType::f16x2) return {};
  switch (t) {
    case DataType::b16:
      return integer_forms<u16>(m.compare, false);
    case DataType::b32:
      return integer_forms<u32>(m.compare, false);
    case DataType::b64:
      return integer_forms<u64>(m.compare, false);
    case DataType::u16:
      return integer_forms<u16>(m.compare, true);
    case DataType::u32:
      return integer_forms<u32>(m.compare, true);
    case DataType::u64:
      return integer_forms<u64>(m.compare, true);
    case DataType::s16:
      return integer_forms<s16>(m.compare, true);
    case DataType::s32:
      return integer_forms<s32>(m.compare, true);
    case DataType::s64:
      return integer_forms<s64>(m.compare, true);
    case DataType::f32:
      return m.ftz ? float_forms<Flushed>(m.compare) : float_forms<Single>(m.compare);
    case DataType::f64:
      return float_forms<Double>(m.compare);
    case DataType::f16:
    case DataType::f16x2:
      return float_forms<OfHalf>(m.compare);
    case DataType::bf16:
    case DataType::bf16x2:
      return float_forms<OfBrain>(m.compare);
    default:
      return {};
  }
}

// selp: selects a or b by a predicate, word by word. Both words of a 64-bit value use the same predicate.
template <int Words>
void select_by_predicate(const Instruction&, LaneOperands& o) {
  const LaneMask choice = o.pred_src[2];
  for (int h = 0; h < Words; ++h) {
    if (!o.dst[0][h]) continue;
    const u32* a = o.src[0][h]->lane;
    const u32* b = o.src[1][h]->lane;
    u32* d = o.dst[0][h]->lane;
    HEDDLE_EACH_LANE(i) d[i] = lane_of(choice, i) != 0 ? a[i] : b[i];
  }
}
void select_halves(const Instruction& instruction, LaneOperands& o) {
  select_by_predicate<1>(instruction, o);
  if (o.dst[0][0]) HEDDLE_EACH_LANE(i) o.dst[0][0]->lane[i] &= 0xffffu;
}

template <class C, bool Ftz>
struct SelectBySign {
  // slct: returns a if c >= 0, otherwise b. -0 counts as zero, and NaN counts as negative.
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b, C c) {
    if constexpr (Ftz) c = flushed(c);
    return c >= C{0} ? a : b;
  }
};

template <class C, bool Ftz>
LaneFunction slct(DataType t) {
  switch (bits_of(t)) {
    case 16:
      return map3<SelectBySign<C, Ftz>, u16, u16, u16, C>;
    case 32:
      return map3<SelectBySign<C, Ftz>, u32, u32, u32, C>;
    case 64:
      return map3<SelectBySign<C, Ftz>, u64, u64, u64, C>;
    default:
      return nullptr;
  }
}
LaneFunction find_slct(const Instruction& i) {
  if (i.source_type == DataType::s32) return i.modifiers.ftz ? nullptr : slct<s32, false>(i.type);
  if (i.source_type != DataType::f32) return nullptr;
  return i.modifiers.ftz ? slct<float, true>(i.type) : slct<float, false>(i.type);
}

// Returns true if `set` may write `type` for sources of type `source`. Pairs of f16 or bf16 give 32-bit
// integers or a pair of the same type. Single f16 or bf16 values give 32-bit integers, 16-bit integers, f16
// or bf16. All other sources give 32-bit integers, f32, f16 or bf16.
bool may_set(DataType type, DataType source) {
  if (type == DataType::u32 || type == DataType::s32) return true;
  if (is_pair(source) || is_pair(type)) return type == source && is_half(type);
  if (type == DataType::u16 || type == DataType::s16) return is_half(source);
  return (type == DataType::f32 && !is_half(source)) || is_half(type);
}

}  // namespace

LaneFunction find_comparison(const Instruction& i) {
  switch (i.op) {
    case Opcode::setp:
      return find_forms(i.type, i.modifiers).predicate;
    case Opcode::set:
      return may_set(i.type, i.source_type) ? find_forms(i.source_type, i.modifiers).word : nullptr;
    case Opcode::selp:
      switch (bits_of(i.type)) {
        case 16:
          return select_halves;
        case 32:
          return select_by_predicate<1>;
        case 64:
          return select_by_predicate<2>;
        default:
          return nullptr;
      }
    case Opcode::slct:
      return find_slct(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
