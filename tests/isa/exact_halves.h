#pragma once

// f16 and bf16 arithmetic by exact integers and a list of all numbers, independent of the lanes' arithmetic.

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <vector>

#include "models/isa/types.h"

namespace heddle::isa::test {

/// a number times 2^300
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    1024, 1024, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked, void>>;

/// `v` must be finite. Magnitudes below 2^-200 count as 2^-200, above 2^200 as 2^200, because they round in
/// the same way.
Exact exact(double v);

struct HalfFormat {
  DataType type;
  int fraction_bits, bias;

  std::uint32_t infinity() const { return 0x7fffu >> fraction_bits << fraction_bits; }
  bool is_nan(std::uint32_t v) const { return (v & 0x7fff) > infinity(); }
  bool is_infinite(std::uint32_t v) const { return (v & 0x7fff) == infinity(); }
  bool is_subnormal(std::uint32_t v) const { return (v & infinity()) == 0 && (v & 0x7fff) != 0; }
  std::uint32_t flushed(std::uint32_t v) const { return is_subnormal(v) ? v & 0x8000 : v; }
  /// Returns the value of a number or infinity, or NaN.
  double value(std::uint32_t v) const;
  /// Rounds to one of the two neighbours. An exact zero has the sign `negative_zero`.
  std::uint32_t rounded(const Exact& v, Rounding r, bool negative_zero = false) const;
  /// Rounds any double; NaN gives 7fff.
  std::uint32_t rounded(double v, Rounding r) const;
};

extern const HalfFormat kF16, kBf16;

}  // namespace heddle::isa::test
