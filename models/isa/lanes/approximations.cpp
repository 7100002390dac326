// Lane functions (each executes one instruction for all 32 lanes) of approximate operations (rcp, rsqrt, sin,
// cos, lg2, ex2, tanh and others). These functions compute in f64 with the polynomials of this file and round
// once to f32, so that every host returns the same bits. The only library function is fma, which is correctly
// rounded.
//
// The polynomials are Taylor series on short ranges. The first omitted term is below 2^-37 of the result.
// Half an ulp of f32 is 2^-24 of the result.

#include "models/isa/lanes/lane_halves.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kLog2E = 0x1.71547652b82fep+0;

HEDDLE_INLINE double power_of_two(s32 exponent) {
  return bits_as<double>(u64{static_cast<u32>(exponent + 1023)} << 52);
}

/// Computes 2^x for |x| <= 1000, as 2^k * exp(ln2 * f), where k is an integer and |f| <= 1/2.
HEDDLE_INLINE double exp2_of(double x) {
  const double whole = __builtin_rint(x);
  const double y = (x - whole) * kLn2;
  double p = 1.0 / 362880;
  p = p * y + 1.0 / 40320;
  p = p * y + 1.0 / 5040;
  p = p * y + 1.0 / 720;
  p = p * y + 1.0 / 120;
  p = p * y + 1.0 / 24;
  p = p * y + 1.0 / 6;
  p = p * y + 0.5;
  p = p * y + 1.0;
  p = p * y + 1.0;
  return p * power_of_two(static_cast<s32>(whole));
}

struct Exp2 {
  HEDDLE_INLINE static float apply(float x) {
    // Limits x to [-200, 200]. The f32 result of these limits, as of all larger |x|, is already infinite or
    // zero.
    const float bounded = x < -200.0f ? -200.0f : x > 200.0f ? 200.0f : x == x ? x : 0.0f;
    const float result = static_cast<float>(exp2_of(static_cast<double>(bounded)));
    return x == x ? result : x;
  }
};

struct Log2 {
  HEDDLE_INLINE static float apply(float x) {
    // Splits x into m * 2^k with m in [sqrt(1/2), sqrt(2)). Subnormal numbers are scaled up first.
    const bool tiny = x < 0x1p-126f;
    const u32 bits = bits_as<u32>(tiny ? x * 0x1p24f : x);
    const s32 exponent = static_cast<s32>(bits - 0x3f3504f3u) >> 23;
    const double m = static_cast<double>(bits_as<float>(bits - (static_cast<u32>(exponent) << 23)));
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double p = 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    p = p * z + 1.0;
    const double k = static_cast<double>(exponent - (tiny ? 24 : 0));
    const float result = static_cast<float>(k + 2.0 * kLog2E * s * p);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const float special = x == 0.0f ? -infinity : x > 0.0f ? infinity : bits_as<float>(kNan<float>);
    return x > 0.0f && x < infinity ? result : special;
  }
};

struct HyperbolicTangent {
  HEDDLE_INLINE static float apply(float x) {
    const double y = static_cast<double>(bits_as<float>(bits_as<u32>(x) & ~kSign<float>));
    const double bounded = y < 10.0 ? y : 10.0;  // for |x| >= 10, tanh rounds to 1
    const double power = exp2_of(2.0 * kLog2E * bounded);
    const double square = bounded * bounded;
    const double series = bounded * (1.0 + square * (square * (2.0 / 15) - 1.0 / 3));
    const float size = static_cast<float>(bounded < 0x1p-10 ? series : (power - 1.0) / (power + 1.0));
    const float result = bits_as<float>(bits_as<u32>(size) | (bits_as<u32>(x) & kSign<float>));
    return x == x ? result : x;
  }
};

struct ReciprocalRoot {
  HEDDLE_INLINE static float apply(float x) {
    return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
  }
  // Computes 1/sqrt(x). A Newton step removes the rounding errors of square root and division. The residual
  // of this step, 1 - x y y, is computed with twice the precision.
  HEDDLE_INLINE static double apply(double x) {
    const double y = 1.0 / __builtin_sqrt(x);
    const double product = x * y;
    const double product_error = __builtin_fma(x, y, -product);
    const double residual = __builtin_fma(-product, y, 1.0) - product_error * y;
    const double refined = y + 0.5 * y * residual;
    return y > 0.0 && y < std::numeric_limits<double>::infinity() ? refined : y;
  }
};

// Approximate division: returns the IEEE quotient a / b. For finite |b| > 2^126, returns a times a zero with
// the sign of b.
struct DivideByReciprocal {
  HEDDLE_INLINE static float apply(float a, float b) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const float size = bits_as<float>(bits_as<u32>(b) & ~kSign<float>);
    const bool huge = size > 0x1p126f && size < infinity;
    const float zero = bits_as<float>(bits_as<u32>(b) & kSign<float>);
    return huge ? a * zero : a / b;
  }
};

// Makes an approximation for .ftz.f64 forms, whose operand and result have only the upper 32 bits of an f64.
// `Op` receives the truncated operand. The result of `Op` is rounded to the upper 32 bits.
template <class Op>
struct UpperWord {
  HEDDLE_INLINE static double apply(double x) {
    constexpr u64 upper = 0xffffffff00000000u;
    const double cut = flushed(bits_as<double>(bits_as<u64>(x) & upper));
    const double exact = flushed(Op::apply(cut));
    const double rounded = bits_as<double>((bits_as<u64>(exact) + 0x80000000u) & upper);
    return x == x && exact == exact ? rounded : bits_as<double>(kNan<double>);
  }
};

// Result of the range reduction of sin and cos: the argument equals `angle`, in [-pi/4, pi/4], plus index *
// pi/2. Only the low two bits of `index` matter.
struct Quadrant {
  s32 index;
  double angle;
};

// Range reduction of sin and cos for |x| < 2^20: subtracts `turns` times pi/2 from x. pi/2 is split into
// three terms. The products of `turns` with the first two terms are exact.
HEDDLE_INLINE Quadrant reduced(float x) {
  const double turns = __builtin_rint(static_cast<double>(x) * 0x1.45f306dc9c883p-1);
  const double first = static_cast<double>(x) - turns * 0x1.921fb544p+0;
  const double angle = (first - turns * 0x1.0b4611a6p-34) - turns * 0x1.3198a2e037073p-69;
  return {static_cast<s32>(turns), turns == 0.0 ? static_cast<double>(x) : angle};
}

// Bits of 1/(16 pi) after the binary point, for the range reduction of large angles.
constexpr u64 kInverseTurn[4] = {0x0517cc1b727220a9, 0x4fe13abe8fa9a6ee, 0x06db14acc9e21c82,
                                 0x0ff28b1d5ef5de2b};
constexpr float kLargeAngle = 0x1p20f;

// Range reduction of sin and cos for |x| >= 2^20: computes x/(2 pi) modulo 1 in fixed point. x equals m *
// 2^(shift - 3) with an integer m below 2^24. Therefore x/(2 pi) = m * 2^shift/(16 pi). The first `shift`
// bits of kInverseTurn contribute only whole turns. Only the 128 bits after them are used, because later bits
// contribute less than 2^-104 of a turn.
inline Quadrant reduced_large(float x) {
  const u32 bits = bits_as<u32>(x);
  const u64 mantissa = (bits & 0x7fffffu) | 0x800000u;
  const u32 shift = (bits >> 23 & 0xffu) - 150u + 3u;
  const auto window = [shift](u32 word) {
    const u32 at = word + shift / 64;
    const u64 high = kInverseTurn[at] << (shift % 64);
    return shift % 64 == 0 ? high : high | (at + 1 < 4 ? kInverseTurn[at + 1] >> (64 - shift % 64) : 0);
  };
  const u64 low = static_cast<u64>(static_cast<u128>(mantissa) * window(1) >> 64);
  const u64 turn = mantissa * window(0) + low;
  const u64 index = (turn + (u64{1} << 61)) >> 62;
  const double angle = static_cast<double>(static_cast<s64>(turn - (index << 62))) * 0x1.921fb54442d18p-62;
  const s32 signed_index = static_cast<s32>(index & 3u);
  return (bits >> 31) != 0 ? Quadrant{-signed_index, -angle} : Quadrant{signed_index, angle};
}

template <bool Cosine>
HEDDLE_INLINE float circular(Quadrant q) {
  const double z = q.angle * q.angle;
  double s = 1.0 / 6227020800;
  s = s * z - 1.0 / 39916800;
  s = s * z + 1.0 / 362880;
  s = s * z - 1.0 / 5040;
  s = s * z + 1.0 / 120;
  s = s * z - 1.0 / 6;
  s = q.angle * (s * z + 1.0);
  double c = 1.0 / 479001600;
  c = c * z - 1.0 / 3628800;
  c = c * z + 1.0 / 40320;
  c = c * z - 1.0 / 720;
  c = c * z + 1.0 / 24;
  c = c * z - 0.5;
  c = c * z + 1.0;
  const u32 quarter = static_cast<u32>(q.index) + (Cosine ? 1u : 0u);
  const float value = static_cast<float>((quarter & 1u) != 0 ? c : s);
  return bits_as<float>(bits_as<u32>(value) ^ (quarter & 2u) << 30);
}

template <bool Cosine, bool Ftz>
void circular_lanes(const Instruction&, LaneOperands& o) {
  using Shape = Shaped<void, Ftz, false>;
  const In<float> a(o, 0);
  const Out<float> d(o, 0);
  LaneVec large;
  HEDDLE_EACH_LANE(i) {
    const float x = Shape::in(a[i]);
    const bool near = x > -kLargeAngle && x < kLargeAngle;
    d.set(i, Shape::out(circular<Cosine>(reduced(near ? x : 0.0f))));
    large.lane[i] = near ? 0u : ~0u;
  }
  for (LaneMask left = collect(large); left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const float x = a[i];
    const bool finite = (bits_as<u32>(x) & kInfinity<float>) != kInfinity<float>;
    d.set(i, finite ? Shape::out(circular<Cosine>(reduced_large(x))) : bits_as<float>(kNan<float>));
  }
}

// Computes a half-precision approximation by the f32 operation `Op`. The result is rounded twice: to f32, and
// then to half precision. The rounding to f32 adds an error of less than 0.001 ulp of half precision.
template <class Op>
struct ByFloat {
  HEDDLE_INLINE static double apply(double x) {
    return static_cast<double>(Op::apply(static_cast<float>(x)));
  }
};
template <class F>
using HalfExp2 = HalfComputed<F, ByFloat<Exp2>>;
template <class F>
using HalfTangent = HalfComputed<F, ByFloat<HyperbolicTangent>>;

LaneFunction find_half_approximation(const Instruction& i) {
  const bool brain = i.type == DataType::bf16 || i.type == DataType::bf16x2;
  if (!i.modifiers.approx || i.source_type != i.type) return nullptr;
  if (i.op == Opcode::tanh) return i.modifiers.ftz ? nullptr : find_half_map<HalfTangent, 1>(i.type);
  if (i.op != Opcode::ex2 || i.modifiers.ftz != brain) return nullptr;
  return find_half_map<HalfExp2, 1>(i.type);
}

template <class Op>
LaneFunction unary(const Instruction& i) {
  if (i.type != DataType::f32) return nullptr;
  return i.modifiers.ftz ? map1<Shaped<Op, true, false>, float, float>
                         : map1<Shaped<Op, false, false>, float, float>;
}
template <class Op>
LaneFunction quotient(const Instruction& i) {
  if (i.type != DataType::f32) return nullptr;
  return i.modifiers.ftz ? map2<Shaped<Op, true, false>, float, float, float>
                         : map2<Shaped<Op, false, false>, float, float, float>;
}
template <bool Cosine>
LaneFunction circular_form(const Instruction& i) {
  if (i.type != DataType::f32) return nullptr;
  return i.modifiers.ftz ? circular_lanes<Cosine, true> : circular_lanes<Cosine, false>;
}

}  // namespace

LaneFunction find_approximation(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (m.sat || m.rounding != Rounding::none) return nullptr;
  if (is_half(i.type)) return find_half_approximation(i);
  const bool wide = i.type == DataType::f64;
  switch (i.op) {
    case Opcode::div:
      return m.approx ? quotient<DivideByReciprocal>(i) : quotient<FloatDivide>(i);
    case Opcode::rcp:
      if (wide) return m.ftz ? map1<UpperWord<FloatReciprocal>, double, double> : nullptr;
      return unary<FloatReciprocal>(i);
    case Opcode::rsqrt:
      if (wide)
        return m.ftz ? map1<UpperWord<ReciprocalRoot>, double, double>
                     : map1<Shaped<ReciprocalRoot, false, false>, double, double>;
      return unary<ReciprocalRoot>(i);
    case Opcode::sqrt:
      return unary<FloatSquareRoot>(i);
    case Opcode::sin:
      return circular_form<false>(i);
    case Opcode::cos:
      return circular_form<true>(i);
    case Opcode::lg2:
      return unary<Log2>(i);
    case Opcode::ex2:
      return unary<Exp2>(i);
    case Opcode::tanh:
      return unary<HyperbolicTangent>(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
