#pragma once

// Computes expected results of f16 and bf16 arithmetic with exact integers. To round, it searches a list of
// all numbers of the format. It shares no code with the arithmetic under test.

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <vector>

#include "models/isa/types.h"

namespace heddle::isa::test {

/// integer that represents a number multiplied by 2^300
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    1024, 1024, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked, void>>;

/// Converts a finite `v`. Clamps the magnitude of `v` to the range 2^-200 to 2^200, because magnitudes
/// outside of this range are rounded like the limits of the range.
Exact exact(double v);

struct HalfFormat {
  DataType type;
  int fraction_bits, bias;

  std::uint32_t infinity() const { return 0x7fffu >> fraction_bits << fraction_bits; }
  bool is_nan(std::uint32_t v) const { return (v & 0x7fff) > infinity(); }
  bool is_infinite(std::uint32_t v) const { return (v & 0x7fff) == infinity(); }
  bool is_subnormal(std::uint32_t v) const { return (v & infinity()) == 0 && (v & 0x7fff) != 0; }
  std::uint32_t flushed(std::uint32_t v) const { return is_subnormal(v) ? v & 0x8000 : v; }
  /// Returns the value of the bit pattern: a number, infinity or NaN.
  double value(std::uint32_t v) const;
  std::uint32_t rounded(const Exact& v, Rounding r, bool negative_zero = false) const;
  /// Rounds to the format. NaN gives 0x7fff.
  std::uint32_t rounded(double v, Rounding r) const;
};

extern const HalfFormat kF16, kBf16;

}  // namespace heddle::isa::test
