#include <algorithm>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::half_gemm {
namespace {

double half(double v) {
  if (v == 0) return v;
  const int place = std::max(std::ilogb(v), -14) - 10;
  return std::ldexp(std::nearbyint(std::ldexp(v, -place)), place);
}

std::uint16_t bits_of(double v) {
  const double size = std::fabs(v);
  const unsigned sign = std::signbit(v) ? 0x8000u : 0u;
  if (size < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::ldexp(size, 24)));
  const int exponent = std::ilogb(size);
  const auto fraction = static_cast<unsigned>(std::ldexp(size, 10 - exponent)) - 1024u;
  return static_cast<std::uint16_t>(sign | static_cast<unsigned>(exponent + 15) << 10 | fraction);
}

// A double represents the product of two half-precision numbers exactly. The sum of such a product and a half-precision
// number may be rounded to a double, but this rounding error is too small to decide a tie when the sum is rounded to
// half precision.
void reference(KernelData& data) {
  const auto a = data.buffer<float>("a"), b = data.buffer<float>("b"), c = data.buffer<float>("c");
  const auto result = data.buffer<std::uint16_t>("half_c");
  const auto columns = static_cast<std::size_t>(data.integer("columns"));
  const auto inner = static_cast<std::size_t>(data.integer("inner"));
  for (std::size_t at = 0; at < c.size(); ++at) {
    double sum = 0;
    for (std::size_t k = 0; k < inner; ++k)
      sum = half(half(a[at / columns * inner + k]) * half(b[k * columns + at % columns]) + sum);
    const double added = half(half(data.number("beta")) * half(c[at]));
    result[at] = bits_of(std::max(half(half(data.number("alpha")) * sum + added), 0.0));
  }
}

const KernelReference registered("half_gemm", &reference);

}  // namespace
}  // namespace heddle::kernels::half_gemm
