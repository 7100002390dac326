// Lane functions (each executes one instruction for all 32 lanes) of arithmetic and conversions that round
// towards zero, down or up. These functions set the rounding mode of the host, so this file is compiled with
// -frounding-math. The computing functions are never inlined (HEDDLE_APART), so the optimiser cannot move
// operations across a change of the rounding mode.

#include "models/isa/lanes/lane_floats.h"

#if !defined(__SSE2__)
#include <cfenv>
#endif

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

#if defined(__SSE2__)
constexpr unsigned kModeBits = 0x6000;
constexpr unsigned kDown = 0x2000, kUp = 0x4000, kZero = 0x6000;
class RoundingScope {
 public:
  explicit RoundingScope(unsigned mode) : saved_(_mm_getcsr()) { _mm_setcsr((saved_ & ~kModeBits) | mode); }
  ~RoundingScope() { _mm_setcsr(saved_); }

 private:
  unsigned saved_;
};
#else
constexpr int kDown = FE_DOWNWARD, kUp = FE_UPWARD, kZero = FE_TOWARDZERO;
class RoundingScope {
 public:
  explicit RoundingScope(int mode) : saved_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingScope() { std::fesetround(saved_); }

 private:
  int saved_;
};
#endif

#if __has_cpp_attribute(gnu::noipa)
#define HEDDLE_APART [[gnu::noipa]]
#else
#define HEDDLE_APART [[gnu::noinline]]
#endif

template <class Op, class D, class... Sources>
HEDDLE_APART void compute(const Instruction& instruction, LaneOperands& o) {
  if constexpr (sizeof...(Sources) == 1) map1<Op, D, Sources...>(instruction, o);
  if constexpr (sizeof...(Sources) == 2) map2<Op, D, Sources...>(instruction, o);
  if constexpr (sizeof...(Sources) == 3) map3<Op, D, Sources...>(instruction, o);
}

template <class Op, auto Mode, class D, class... Sources>
void rounded(const Instruction& instruction, LaneOperands& o) {
  const RoundingScope scope(Mode);
  compute<Op, D, Sources...>(instruction, o);
}

template <class Op, class D, class... Sources>
LaneFunction in_mode(Rounding r) {
  switch (r) {
    case Rounding::rz:
      return rounded<Op, kZero, D, Sources...>;
    case Rounding::rm:
      return rounded<Op, kDown, D, Sources...>;
    case Rounding::rp:
      return rounded<Op, kUp, D, Sources...>;
    default:
      return nullptr;
  }
}

template <class Op, class... Sources>
LaneFunction arithmetic(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (i.type == DataType::f64) {
    if (m.ftz || m.sat) return nullptr;
    return in_mode<Shaped<Op, false, false>, double, std::conditional_t<true, double, Sources>...>(
        m.rounding);
  }
  if (m.ftz && m.sat) return in_mode<Shaped<Op, true, true>, float, Sources...>(m.rounding);
  if (m.ftz) return in_mode<Shaped<Op, true, false>, float, Sources...>(m.rounding);
  if (m.sat) return in_mode<Shaped<Op, false, true>, float, Sources...>(m.rounding);
  return in_mode<Shaped<Op, false, false>, float, Sources...>(m.rounding);
}

struct Convert32 {
  template <class S>
  HEDDLE_INLINE static float apply(S v) {
    return static_cast<float>(v);
  }
};
struct Convert64 {
  template <class S>
  HEDDLE_INLINE static double apply(S v) {
    return static_cast<double>(v);
  }
};
template <class Op, bool Ftz, bool Sat>
struct ShapedResult {
  template <class S>
  HEDDLE_INLINE static auto apply(S v) {
    return Shaped<Op, Ftz, Sat>::out(Op::apply(v));
  }
};

template <class S, class Op, class D>
LaneFunction convert(const Modifiers& m) {
  if constexpr (std::is_same_v<S, double>) {
    if (m.ftz && m.sat) return in_mode<ShapedResult<Op, true, true>, D, S>(m.rounding);
    if (m.ftz) return in_mode<ShapedResult<Op, true, false>, D, S>(m.rounding);
  }
  if (m.sat) return in_mode<ShapedResult<Op, false, true>, D, S>(m.rounding);
  return in_mode<ShapedResult<Op, false, false>, D, S>(m.rounding);
}

LaneFunction find_conversion_to_f32(const Instruction& i) {
  switch (i.source_type) {
    case DataType::u32:
      return convert<u32, Convert32, float>(i.modifiers);
    case DataType::s32:
      return convert<s32, Convert32, float>(i.modifiers);
    case DataType::u64:
      return convert<u64, Convert32, float>(i.modifiers);
    case DataType::s64:
      return convert<s64, Convert32, float>(i.modifiers);
    case DataType::f64:
      return convert<double, Convert32, float>(i.modifiers);
    default:
      return nullptr;
  }
}
LaneFunction find_conversion_to_f64(const Instruction& i) {
  switch (i.source_type) {
    case DataType::u64:
      return convert<u64, Convert64, double>(i.modifiers);
    case DataType::s64:
      return convert<s64, Convert64, double>(i.modifiers);
    default:
      return nullptr;
  }
}

}  // namespace

LaneFunction find_directed(const Instruction& i) {
  switch (i.op) {
    case Opcode::add:
      return arithmetic<FloatAdd, float, float>(i);
    case Opcode::sub:
      return arithmetic<FloatSubtract, float, float>(i);
    case Opcode::mul:
      return arithmetic<FloatMultiply, float, float>(i);
    case Opcode::fma:
    case Opcode::mad:
      return arithmetic<FloatFma, float, float, float>(i);
    case Opcode::cvt:
      return i.type == DataType::f32 ? find_conversion_to_f32(i) : find_conversion_to_f64(i);
    default:
      break;
  }
  if (i.modifiers.sat) return nullptr;
  switch (i.op) {
    case Opcode::div:
      return arithmetic<FloatDivide, float, float>(i);
    case Opcode::rcp:
      return arithmetic<FloatReciprocal, float>(i);
    case Opcode::sqrt:
      return arithmetic<FloatSquareRoot, float>(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
