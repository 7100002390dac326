// Lane functions (each executes one instruction for all 32 lanes) of f16 and bf16, single or in pairs:
// arithmetic, minimum, maximum and sign operations.

#include "models/isa/lanes/lane_halves.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

struct Sum {
  HEDDLE_INLINE static double apply(double a, double b) { return odd_sum(a, b); }
};
struct Difference {
  HEDDLE_INLINE static double apply(double a, double b) { return odd_sum(a, -b); }
};
struct Product {  // A double holds the product exactly, because the factors have 8 or 11 significand bits.
  HEDDLE_INLINE static double apply(double a, double b) { return a * b; }
};
struct Fused {
  HEDDLE_INLINE static double apply(double a, double b, double c) { return odd_sum(a * b, c); }
};
template <class F>
using HalfSum = HalfComputed<F, Sum>;
template <class F>
using HalfDifference = HalfComputed<F, Difference>;
template <class F>
using HalfProduct = HalfComputed<F, Product>;
template <class F>
using HalfFused = HalfComputed<F, Fused>;

// Minimum or maximum of two f16 or bf16 values. Equal operands may be two zeros; combining their bits makes
// -0 smaller than +0.
template <class F, bool Least>
struct HalfExtreme {
  HalfShape shape;
  bool hands_on_nan;
  HEDDLE_INLINE explicit HalfExtreme(const Modifiers& m) : shape(m), hands_on_nan(m.propagate_nan) {}
  HEDDLE_INLINE u32 operator()(u32 first, u32 second) const {
    const u32 a = shape.in<F>(first & 0xffffu), b = shape.in<F>(second & 0xffffu);
    const float x = widened<F>(a), y = widened<F>(b);
    const u32 equal = Least ? a | b : a & b;
    const u32 chosen = (Least ? x < y : x > y) ? a : (Least ? y < x : y > x) ? b : equal;
    const u32 number = x != x ? b : y != y ? a : chosen;
    const bool none = hands_on_nan ? x != x || y != y : x != x && y != y;
    return none ? kHalfNan : number;
  }
};
template <class F>
using HalfMinimum = HalfExtreme<F, true>;
template <class F>
using HalfMaximum = HalfExtreme<F, false>;

template <class F>
HEDDLE_INLINE u32 signed_half(u32 bits, u32 result) {
  return (bits & 0x7fffu) > kHalfInfinity<F> ? kHalfNan : result;
}
template <class F>
struct HalfAbsolute {
  HalfShape shape;
  HEDDLE_INLINE explicit HalfAbsolute(const Modifiers& m) : shape(m) {}
  HEDDLE_INLINE u32 operator()(u32 a) const {
    return signed_half<F>(a, shape.in<F>(a & 0xffffu) & ~kHalfSign);
  }
};
template <class F>
struct HalfNegated {
  HalfShape shape;
  HEDDLE_INLINE explicit HalfNegated(const Modifiers& m) : shape(m) {}
  HEDDLE_INLINE u32 operator()(u32 a) const {
    return signed_half<F>(a, shape.in<F>(a & 0xffffu) ^ kHalfSign);
  }
};

bool is_brain(DataType t) { return t == DataType::bf16 || t == DataType::bf16x2; }

// Returns false for modifiers that f16 or bf16 cannot have, such as .ftz or .sat with bf16, or .relu with
// .sat.
bool has_shape(const Instruction& i, bool may_saturate) {
  const Modifiers& m = i.modifiers;
  if (m.approx || m.full || m.rounding > Rounding::rn || (m.sat && (!may_saturate || m.relu))) return false;
  return !is_brain(i.type) || (!m.ftz && !m.sat);
}

}  // namespace

LaneFunction find_half(const Instruction& i) {
  const bool computes =
      i.op == Opcode::add || i.op == Opcode::sub || i.op == Opcode::mul || i.op == Opcode::fma;
  if (i.source_type != i.type || !has_shape(i, computes)) return nullptr;
  switch (i.op) {
    case Opcode::add:
      return find_half_map<HalfSum, 2>(i.type);
    case Opcode::sub:
      return find_half_map<HalfDifference, 2>(i.type);
    case Opcode::mul:
      return find_half_map<HalfProduct, 2>(i.type);
    case Opcode::fma:
      return find_half_map<HalfFused, 3>(i.type);
    case Opcode::min:
      return find_half_map<HalfMinimum, 2>(i.type);
    case Opcode::max:
      return find_half_map<HalfMaximum, 2>(i.type);
    case Opcode::abs:
      return find_half_map<HalfAbsolute, 1>(i.type);
    case Opcode::neg:
      return find_half_map<HalfNegated, 1>(i.type);
    default:
      return nullptr;
  }
}

u32 add_halves(DataType t, u32 a, u32 b) {
  const Modifiers plain;
  const HalfSum<Half> half(plain);
  const HalfSum<Brain> brain(plain);
  const auto add = [&](u32 x, u32 y) { return is_brain(t) ? brain(x, y) : half(x, y); };
  return is_pair(t) ? add(a, b) | add(a >> 16, b >> 16) << 16 : add(a, b);
}

float value_of_half(u32 bits) { return widened<Half>(bits); }

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
