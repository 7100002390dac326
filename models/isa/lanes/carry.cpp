// Lane functions (each executes one instruction for all 32 lanes) of extended-precision arithmetic: add, sub
// and mad with a condition code. The condition code is a predicate: the last source (carry in) or the last
// destination (carry out). For a subtraction a - b, the condition code is the carry of a + ~b + 1, which is
// set if there is no borrow.

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

HEDDLE_INLINE LaneMask carry_in(const Instruction& instruction, const LaneOperands& o) {
  return instruction.modifiers.carry_in ? o.pred_src[instruction.num_src - 1] : 0;
}
HEDDLE_INLINE void carry_out(const Instruction& instruction, LaneOperands& o, LaneMask carries) {
  if (instruction.modifiers.carry_out) o.pred_dst[instruction.num_dst - 1] = carries;
}

template <class T>
struct Sum {
  T value;
  bool carry;
};
template <class T>
HEDDLE_INLINE Sum<T> add(T a, T b, T carry) {
  const T partial = static_cast<T>(a + b);
  const T sum = static_cast<T>(partial + carry);
  return {sum, partial < a || sum < partial};
}
template <class T>
HEDDLE_INLINE Sum<T> subtract(T a, T b, T borrow) {
  const T partial = static_cast<T>(a - b);
  const T difference = static_cast<T>(partial - borrow);
  return {difference, a < b || partial < borrow};
}

template <class T, bool Subtracts>
void add_with_carry(const Instruction& instruction, LaneOperands& o) {
  const In<T> a(o, 0);
  const In<T> b(o, 1);
  const Out<T> d(o, 0);
  const bool borrows = Subtracts && instruction.modifiers.carry_in;
  const LaneMask in = borrows ? ~carry_in(instruction, o) : carry_in(instruction, o);
  LaneVec flags;
  HEDDLE_EACH_LANE(i) {
    const T carry = lane_of(in, i) & 1u;
    const Sum<T> sum = Subtracts ? subtract<T>(a[i], b[i], carry) : add<T>(a[i], b[i], carry);
    d.set(i, sum.value);
    flags.lane[i] = sum.carry != Subtracts ? ~0u : 0u;
  }
  carry_out(instruction, o, collect(flags));
}

template <class T, bool High>
void multiply_add_with_carry(const Instruction& instruction, LaneOperands& o) {
  using Unsigned = std::make_unsigned_t<T>;
  using Twice = std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, s64, u64>,
                                   std::conditional_t<std::is_signed_v<T>, s128, u128>>;
  const In<T> a(o, 0);
  const In<T> b(o, 1);
  const In<Unsigned> c(o, 2);
  const Out<Unsigned> d(o, 0);
  const LaneMask in = carry_in(instruction, o);
  LaneVec flags;
  HEDDLE_EACH_LANE(i) {
    const Twice product = static_cast<Twice>(a[i]) * static_cast<Twice>(b[i]);
    const auto part = static_cast<Unsigned>(High ? product >> kBits<T> : product);
    const Sum<Unsigned> sum = add<Unsigned>(part, c[i], lane_of(in, i) & 1u);
    d.set(i, sum.value);
    flags.lane[i] = sum.carry ? ~0u : 0u;
  }
  carry_out(instruction, o, collect(flags));
}

}  // namespace

LaneFunction find_carry(const Instruction& i) {
  if (i.modifiers.sat) return nullptr;
  return with_wide_integer(i.type, [&i]<class T>(Tag<T>) -> LaneFunction {
    using Unsigned = std::make_unsigned_t<T>;
    if (i.op == Opcode::add) return add_with_carry<Unsigned, false>;
    if (i.op == Opcode::sub) return add_with_carry<Unsigned, true>;
    if (i.op != Opcode::mad) return nullptr;
    if (i.modifiers.part == Part::lo) return multiply_add_with_carry<Unsigned, false>;
    return i.modifiers.part == Part::hi ? multiply_add_with_carry<T, true> : nullptr;
  });
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
