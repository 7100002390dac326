#include <cmath>
#include <numbers>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::dct8x8 {
namespace {

// The definition: F(u, v) = c(u) c(v) / 4 * sum of f(x, y) cos((2x+1) u pi / 16) cos((2y+1) v pi / 16).
void reference(KernelData& data) {
  const auto image = data.buffer<float>("image");
  const auto coefficients = data.buffer<float>("coefficients");
  const auto width = data.integer("width");
  const auto height = data.integer("height");
  double basis[8][8];
  for (int u = 0; u < 8; ++u) {
    for (int x = 0; x < 8; ++x) {
      basis[u][x] = (u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * u * std::numbers::pi / 16.0);
    }
  }
  for (std::int64_t at = 0; at < width * height; ++at) {
    const std::int64_t column = at % width;
    const std::int64_t row = at / width;
    const std::int64_t corner = (row - row % 8) * width + column - column % 8;
    double sum = 0.0;
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 8; ++x) {
        sum += basis[row % 8][y] * basis[column % 8][x] * image[corner + y * width + x];
      }
    }
    coefficients[at] = static_cast<float>(sum);
  }
}

const KernelReference registered("dct8x8", &reference);

}  // namespace
}  // namespace heddle::kernels::dct8x8
