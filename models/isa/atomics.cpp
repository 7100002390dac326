#include <algorithm>
#include <bit>

#include "models/core/error.h"
#include "models/isa/half_sums.h"
#include "models/isa/lane_operands.h"
#include "models/isa/mbarrier.h"

namespace heddle::isa {
namespace {

template <class T, class Bits>
std::uint64_t add_floats(std::uint64_t a, std::uint64_t b, Bits nan) {
  const T sum = std::bit_cast<T>(static_cast<Bits>(a)) + std::bit_cast<T>(static_cast<Bits>(b));
  return sum == sum ? std::bit_cast<Bits>(sum) : nan;
}

template <class Bits>
std::uint64_t step(AtomicOp op, bool is_signed, Bits old, Bits b, Bits c) {
  using Signed = std::make_signed_t<Bits>;
  const bool less = is_signed ? static_cast<Signed>(old) < static_cast<Signed>(b) : old < b;
  switch (op) {
    case AtomicOp::none:
      return old;
    case AtomicOp::add:
      return static_cast<Bits>(old + b);
    case AtomicOp::and_:
      return old & b;
    case AtomicOp::or_:
      return old | b;
    case AtomicOp::xor_:
      return old ^ b;
    case AtomicOp::exch:
      return b;
    case AtomicOp::cas:
      return old == b ? c : old;
    case AtomicOp::inc:
      return old >= b ? Bits{0} : static_cast<Bits>(old + 1u);
    case AtomicOp::dec:
      return old == 0 || old > b ? b : static_cast<Bits>(old - 1u);
    case AtomicOp::min:
      return less ? old : b;
    case AtomicOp::max:
      return less ? b : old;
    default:
      return old;
  }
}

}  // namespace

std::uint64_t apply_atomic(AtomicOp op, DataType type, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  if (is_mbarrier(op)) return apply_mbarrier(op, old, b);
  if (op == AtomicOp::add && type == DataType::f32)
    return add_floats<float, std::uint32_t>(old, b, 0x7fffffffu);
  if (op == AtomicOp::add && type == DataType::f64)
    return add_floats<double, std::uint64_t>(old, b, 0x7ff8000000000000u);
  if (op == AtomicOp::add && is_half(type))
    return lanes::baseline::add_halves(type, static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(b));
  const bool sign = is_signed(type);
  switch (bits_of(type)) {
    case 16:
      return step<std::uint16_t>(op, sign, static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(b),
                                 static_cast<std::uint16_t>(c));
    case 32:
      return step<std::uint32_t>(op, sign, static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(b),
                                 static_cast<std::uint32_t>(c));
    case 64:
      return step<std::uint64_t>(op, sign, old, b, c);
    default:
      throw InternalError(std::string("no atomic on type ") + name_of(type));
  }
}

}  // namespace heddle::isa
