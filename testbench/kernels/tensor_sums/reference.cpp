#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::tensor_sums {
namespace {

// A number: signed significand, exponent, and number of fraction bits. Its value is significand * 2^(exponent -
// fraction).
struct Term {
  std::int64_t significand = 0;  // with its sign
  int exponent = 0, fraction = 0;
};

Term of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const std::int64_t size = (bits & 1023) | (exponent == 0 ? 0 : 1024);
  return {bits & 0x8000 ? -size : size, (exponent == 0 ? 1 : exponent) - 15, 10};
}
Term of_float(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  const int exponent = static_cast<int>(bits >> 23 & 255);
  const std::int64_t size = (bits & 0x7fffff) | (exponent == 0 ? 0 : 0x800000);
  return {v < 0 ? -size : size, (exponent == 0 ? 1 : exponent) - 127, 23};
}

// Returns the value of `t` in units of 2^unit, truncated towards zero.
std::int64_t aligned(const Term& t, int unit) {
  const int shift = t.exponent - t.fraction - unit;
  const std::int64_t size = t.significand < 0 ? -t.significand : t.significand;
  const std::int64_t whole = shift >= 0 ? size << shift : shift > -63 ? size >> -shift : 0;
  return t.significand < 0 ? -whole : whole;
}

// Returns the sum of the terms, truncated to f32. Before adding, each term is truncated to `bits` fraction
// bits, relative to the largest exponent.
float fused(std::span<const Term> terms, int bits) {
  int top = -1000;
  for (const Term& t : terms)
    if (t.significand != 0) top = std::max(top, t.exponent);
  if (top == -1000) return 0;
  std::int64_t sum = 0;
  for (const Term& t : terms) sum += aligned(t, top - bits);
  const bool negative = sum < 0;
  auto size = static_cast<std::uint64_t>(negative ? -sum : sum);
  const int drop = std::max(static_cast<int>(std::bit_width(size)) - 24, 0);
  size = size >> drop << drop;
  const double value = std::ldexp(static_cast<double>(size), top - bits);
  return static_cast<float>(negative ? -value : value);
}

void reference(KernelData& data) {
  const auto a = data.buffer<std::uint16_t>("factors"), b = data.buffer<std::uint16_t>("others");
  const auto c = data.buffer<float>("addends"), d = data.buffer<float>("results");
  const auto depth = static_cast<std::size_t>(data.integer("depth"));
  const auto group = static_cast<std::size_t>(data.integer("group"));
  for (std::size_t i = 0; i < d.size(); ++i) {
    d[i] = c[i];
    for (std::size_t k = 0; k < depth; k += group) {
      std::vector<Term> terms{of_float(d[i])};
      for (std::size_t n = i * depth + k; n < i * depth + k + group; ++n) {
        const Term x = of_half(a[n]), y = of_half(b[n]);
        terms.push_back({x.significand * y.significand, x.exponent + y.exponent, x.fraction + y.fraction});
      }
      d[i] = fused(terms, static_cast<int>(data.integer("fraction_bits")));
    }
  }
}

const KernelReference registered("tensor_sums", &reference);

}  // namespace
}  // namespace heddle::kernels::tensor_sums
