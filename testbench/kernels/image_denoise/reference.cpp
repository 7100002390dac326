#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::image_denoise {
namespace {

struct Picture {
  int width, height;
  std::span<const std::uint8_t> bytes;
  double at(int x, int y, std::size_t colour) const {
    x = std::clamp(x, 0, width - 1), y = std::clamp(y, 0, height - 1);
    return bytes[static_cast<std::size_t>(4 * (y * width + x)) + colour] / 255.0;
  }
  // Returns the sum of squared differences between two windows of this radius.
  double apart(int x, int y, int dx, int dy, int radius) const {
    double sum = 0;
    for (int v = -radius; v <= radius; ++v)
      for (int u = -radius; u <= radius; ++u)
        for (std::size_t c = 0; c < 3; ++c) {
          const double d = at(x + u, y + v, c) - at(x + dx + u, y + dy + v, c);
          sum += d * d;
        }
    return sum / ((2 * radius + 1) * (2 * radius + 1));
  }
};

void filter(const Picture& from, std::span<float> to, int radius, int window, double colours,
            double distance) {
  for (int p = 0; p < from.width * from.height; ++p) {
    const int x = p % from.width, y = p / from.width;
    std::array<double, 4> sum{};
    for (int j = -radius; j <= radius; ++j)
      for (int i = -radius; i <= radius; ++i) {
        const double weight =
            std::exp(-from.apart(x, y, i, j, window) * colours - (i * i + j * j) * distance);
        for (std::size_t c = 0; c < 3; ++c) sum[c] += weight * from.at(x + i, y + j, c);
        sum[3] += weight;
      }
    for (std::size_t c = 0; c < 4; ++c)
      to[4 * static_cast<std::size_t>(p) + c] = static_cast<float>(c < 3 ? sum[c] / sum[3] : sum[3]);
  }
}

void reference(KernelData& data) {
  const Picture picture{static_cast<int>(data.integer("width")), static_cast<int>(data.integer("height")),
                        data.buffer<std::uint8_t>("pixels")};
  const int radius = static_cast<int>(data.integer("radius"));
  filter(picture, data.buffer<float>("near"), radius, 0, data.number("colours"), data.number("distance"));
  filter(picture, data.buffer<float>("alike"), radius, 1, data.number("colours"), data.number("distance"));
}

const KernelReference registered("image_denoise", &reference);

}  // namespace
}  // namespace heddle::kernels::image_denoise
