// Lane functions (each executes one instruction for all 32 lanes) for f32 and f64: arithmetic that rounds to
// nearest even; minimum and maximum; sign operations; property tests.

#include "models/isa/lanes/lane_floats.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

// Minimum of two numbers. Equal operands may be two zeros; ORing their bits makes -0 smaller than +0.
struct FloatMinimum {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    const T equal = bits_as<T>(bits_as<Word<T>>(a) | bits_as<Word<T>>(b));
    const T smaller = a < b ? a : b < a ? b : equal;
    return a != a ? b : b != b ? a : smaller;
  }
};
struct FloatMaximum {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    const T equal = bits_as<T>(bits_as<Word<T>>(a) & bits_as<Word<T>>(b));
    const T larger = a > b ? a : b > a ? b : equal;
    return a != a ? b : b != b ? a : larger;
  }
};

template <class Op>
struct PropagateNan {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return a == a && b == b ? Op::apply(a, b) : bits_as<T>(kNan<T>);
  }
};

// Returns the result of abs or neg for a NaN operand. GPUs execute abs and neg as an addition of -0, so the
// result is the NaN that this addition gives.
template <class T>
HEDDLE_INLINE T nan_of_sum(T a) {
  return bits_as<T>(sizeof(T) == 8 ? bits_as<Word<T>>(a) | kNan<T> : kNan<T>);
}
template <bool Ftz>
struct FloatAbsolute {
  template <class T>
  HEDDLE_INLINE static T apply(T a) {
    return a == a ? bits_as<T>(bits_as<Word<T>>(Ftz ? flushed(a) : a) & ~kSign<T>) : nan_of_sum(a);
  }
};
template <bool Ftz>
struct FloatNegate {
  template <class T>
  HEDDLE_INLINE static T apply(T a) {
    return a == a ? bits_as<T>(bits_as<Word<T>>(Ftz ? flushed(a) : a) ^ kSign<T>) : nan_of_sum(a);
  }
};
// copysign: returns the value of b with the sign of a.
struct CopySign {
  template <class T>
  HEDDLE_INLINE static T apply(T a, T b) {
    return bits_as<T>((bits_as<Word<T>>(a) & kSign<T>) | (bits_as<Word<T>>(b) & ~kSign<T>));
  }
};

template <class T, TestProperty Property>
HEDDLE_INLINE bool has_property(T v) {
  const Word<T> size = bits_as<Word<T>>(v) & ~kSign<T>;
  constexpr Word<T> smallest_normal = kInfinity<T> & (0 - kInfinity<T>);
  switch (Property) {
    case TestProperty::finite:
      return size < kInfinity<T>;
    case TestProperty::infinite:
      return size == kInfinity<T>;
    case TestProperty::number:
      return size <= kInfinity<T>;
    case TestProperty::notanumber:
      return size > kInfinity<T>;
    case TestProperty::normal:
      return size == 0 || (size >= smallest_normal && size < kInfinity<T>);
    case TestProperty::subnormal:
      return size != 0 && size < smallest_normal;
    case TestProperty::none:
      break;
  }
  return false;
}
template <class T, TestProperty Property>
void test_property(const Instruction&, LaneOperands& o) {
  const In<T> a(o, 0);
  LaneVec flags;
  HEDDLE_EACH_LANE(i) flags.lane[i] = has_property<T, Property>(a[i]) ? ~0u : 0u;
  o.pred_dst[0] = collect(flags);
}
template <class T>
LaneFunction find_test(TestProperty property) {
  switch (property) {
    case TestProperty::none:
      return nullptr;
    case TestProperty::finite:
      return test_property<T, TestProperty::finite>;
    case TestProperty::infinite:
      return test_property<T, TestProperty::infinite>;
    case TestProperty::number:
      return test_property<T, TestProperty::number>;
    case TestProperty::notanumber:
      return test_property<T, TestProperty::notanumber>;
    case TestProperty::normal:
      return test_property<T, TestProperty::normal>;
    case TestProperty::subnormal:
      return test_property<T, TestProperty::subnormal>;
  }
  return nullptr;
}

template <class Op, class T, int Sources>
LaneFunction map_of() {
  if constexpr (Sources == 1) return map1<Op, T, T>;
  if constexpr (Sources == 2) return map2<Op, T, T, T>;
  if constexpr (Sources == 3) return map3<Op, T, T, T, T>;
}
template <class Op, int Sources>
LaneFunction arithmetic(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (i.type == DataType::f64)
    return m.ftz || m.sat ? nullptr : map_of<Shaped<Op, false, false>, double, Sources>();
  if (m.ftz)
    return m.sat ? map_of<Shaped<Op, true, true>, float, Sources>()
                 : map_of<Shaped<Op, true, false>, float, Sources>();
  return m.sat ? map_of<Shaped<Op, false, true>, float, Sources>()
               : map_of<Shaped<Op, false, false>, float, Sources>();
}
template <class Op, int Sources>
LaneFunction without_saturation(const Instruction& i) {
  if (i.type == DataType::f64)
    return i.modifiers.ftz ? nullptr : map_of<Shaped<Op, false, false>, double, Sources>();
  return i.modifiers.ftz ? map_of<Shaped<Op, true, false>, float, Sources>()
                         : map_of<Shaped<Op, false, false>, float, Sources>();
}
template <class Op>
LaneFunction extreme(const Instruction& i) {
  if (!i.modifiers.propagate_nan) return without_saturation<Op, 2>(i);
  return i.type == DataType::f32 ? without_saturation<PropagateNan<Op>, 2>(i) : nullptr;
}
template <template <bool> class Op>
LaneFunction sign_operation(const Instruction& i) {
  if (i.type == DataType::f64) return i.modifiers.ftz ? nullptr : map1<Op<false>, double, double>;
  return i.modifiers.ftz ? map1<Op<true>, float, float> : map1<Op<false>, float, float>;
}

}  // namespace

LaneFunction find_float(const Instruction& i) {
  switch (i.op) {
    case Opcode::add:
      return arithmetic<FloatAdd, 2>(i);
    case Opcode::sub:
      return arithmetic<FloatSubtract, 2>(i);
    case Opcode::mul:
      return arithmetic<FloatMultiply, 2>(i);
    case Opcode::fma:
    case Opcode::mad:
      return arithmetic<FloatFma, 3>(i);
    default:
      break;
  }
  if (i.modifiers.sat) return nullptr;
  switch (i.op) {
    case Opcode::div:
      return without_saturation<FloatDivide, 2>(i);
    case Opcode::rcp:
      return without_saturation<FloatReciprocal, 1>(i);
    case Opcode::sqrt:
      return without_saturation<FloatSquareRoot, 1>(i);
    case Opcode::min:
      return extreme<FloatMinimum>(i);
    case Opcode::max:
      return extreme<FloatMaximum>(i);
    case Opcode::abs:
      return sign_operation<FloatAbsolute>(i);
    case Opcode::neg:
      return sign_operation<FloatNegate>(i);
    case Opcode::copysign:
      return i.type == DataType::f64 ? map2<CopySign, double, double, double>
                                     : map2<CopySign, float, float, float>;
    case Opcode::testp:
      return i.type == DataType::f64 ? find_test<double>(i.modifiers.property)
                                     : find_test<float>(i.modifiers.property);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
