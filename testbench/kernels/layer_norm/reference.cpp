#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::layer_norm {
namespace {

constexpr std::size_t kWidth = 128, kLanes = 32;

// Rounds to 8 binary digits (bfloat16); a tie goes to the even number. The kernel has no numbers near the
// largest or the smallest bfloat16.
float brain(double v) {
  if (v == 0) return static_cast<float>(v);
  const int place = std::ilogb(v) - 7;
  return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(v, -place)), place));
}
std::uint16_t bits_of(float v) { return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(v) >> 16); }

/// Adds the values of all lanes in the kernel's order. In the first step, each lane adds the value of the lane whose
/// number is its own number XOR 16. The next steps use XOR 8, 4, 2 and 1.
float sum_of_lanes(std::array<float, kLanes> v) {
  for (std::size_t distance = 16; distance > 0; distance /= 2) {
    std::array<float, kLanes> next;
    for (std::size_t lane = 0; lane < kLanes; ++lane) next[lane] = v[lane] + v[lane ^ distance];
    v = next;
  }
  return v[0];
}

void normalise(std::span<const float> in, std::span<const float> scale, std::span<const float> shift,
               std::span<std::uint16_t> out, std::uint32_t& peak) {
  std::array<float, kWidth> values;
  std::array<float, kLanes> sums{}, squares{};
  for (std::size_t i = 0; i < kWidth; ++i) sums[i % kLanes] += values[i] = brain(in[i]);
  const float mean = sum_of_lanes(sums) * (1.0f / kWidth);
  for (std::size_t i = 0; i < kWidth; ++i) {
    values[i] -= mean;
    squares[i % kLanes] = std::fma(values[i], values[i], squares[i % kLanes]);
  }
  const float factor = 1.0f / std::sqrt(sum_of_lanes(squares) * (1.0f / kWidth) + 1e-5f);
  std::array<float, 2> most{};
  for (std::size_t i = 0; i < kWidth; ++i) {
    // A double holds this sum exactly, because the product has 16 binary digits and the addend 8.
    const double exact = static_cast<double>(brain(values[i] * factor)) * brain(scale[i]) + brain(shift[i]);
    const float result = brain(exact);
    out[i] = bits_of(result);
    float& largest = most[i / kLanes % 2];
    largest = std::max(largest, std::fabs(result));
  }
  peak = bits_of(most[0]) | static_cast<std::uint32_t>(bits_of(most[1])) << 16;
}

void reference(KernelData& data) {
  const auto in = data.buffer<float>("in"), scale = data.buffer<float>("scale"),
             shift = data.buffer<float>("shift");
  const auto out = data.buffer<std::uint16_t>("out");
  const auto peak = data.buffer<std::uint32_t>("peak");
  for (std::size_t row = 0; row < peak.size(); ++row)
    normalise(in.subspan(row * kWidth, kWidth), scale, shift, out.subspan(row * kWidth, kWidth), peak[row]);
}

const KernelReference registered("layer_norm", &reference);

}  // namespace
}  // namespace heddle::kernels::layer_norm
