#include "tests/isa/exact_halves.h"

#include <algorithm>
#include <cmath>

namespace heddle::isa::test {

const HalfFormat kF16{DataType::f16, 10, 15}, kBf16{DataType::bf16, 7, 127};

Exact exact(double v) {
  if (v == 0) return 0;
  const double size = std::clamp(std::fabs(v), 0x1p-200, 0x1p200);
  int exponent = 0;
  const double part = std::frexp(size, &exponent);
  Exact whole = static_cast<std::int64_t>(std::ldexp(part, 53));
  whole <<= exponent - 53 + 300;
  return v < 0 ? Exact(-whole) : whole;
}

double HalfFormat::value(std::uint32_t v) const {
  const int fraction = static_cast<int>(v & ((1u << fraction_bits) - 1));
  const int field = static_cast<int>(v & 0x7fff) >> fraction_bits;
  double size = std::ldexp(fraction, 1 - bias - fraction_bits);
  if (field != 0) size = std::ldexp(fraction + (1 << fraction_bits), field - bias - fraction_bits);
  if (is_infinite(v)) size = INFINITY;
  if (is_nan(v)) size = NAN;
  return (v & 0x8000) != 0 ? -size : size;
}

namespace {

/// Returns all finite magnitudes of the format in ascending order. The last element is the first power of two
/// above them.
std::vector<Exact> sizes_of(const HalfFormat& f) {
  std::vector<Exact> all;
  for (std::uint32_t v = 0; v < f.infinity(); ++v) all.push_back(exact(f.value(v)));
  all.push_back(exact(std::ldexp(1.0, f.bias + 1)));
  return all;
}

}  // namespace

std::uint32_t HalfFormat::rounded(const Exact& v, Rounding r, bool negative_zero) const {
  static const std::vector<Exact> halves = sizes_of(kF16), brains = sizes_of(kBf16);
  const std::vector<Exact>& sizes = type == DataType::f16 ? halves : brains;
  if (v == 0) return negative_zero ? 0x8000 : 0;
  const bool negative = v < 0;
  const Exact size = negative ? Exact(-v) : v;
  const auto above = std::upper_bound(sizes.begin(), sizes.end(), size);
  auto low = static_cast<std::uint32_t>(above - sizes.begin()) - 1;
  const bool past = above == sizes.end();
  const bool away = r == Rounding::rp ? !negative : r == Rounding::rm && negative;
  if (past) {
    low = r == Rounding::rn || away ? infinity() : infinity() - 1;
  } else if (sizes[low] != size) {
    const Exact twice = 2 * size, middle = sizes[low] + sizes[low + 1];
    const bool nearer_above = twice > middle || (twice == middle && low % 2 == 1);
    if (r == Rounding::rn ? nearer_above : away) ++low;
  }
  return low | (negative ? 0x8000u : 0u);
}

std::uint32_t HalfFormat::rounded(double v, Rounding r) const {
  if (std::isnan(v)) return 0x7fff;
  if (std::isinf(v)) return infinity() | (v < 0 ? 0x8000u : 0u);
  return rounded(exact(v), r, std::signbit(v));
}

}  // namespace heddle::isa::test
