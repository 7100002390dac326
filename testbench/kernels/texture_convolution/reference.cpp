#include <algorithm>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::texture_convolution {
namespace {

void reference(KernelData& data) {
  const int width = static_cast<int>(data.integer("width")),
            height = static_cast<int>(data.integer("height"));
  const auto taps = data.buffer<float>("taps_data");
  const int radius = static_cast<int>(taps.size() / 2);
  const auto pass = [&](std::span<const float> from, std::span<float> to, int dx, int dy) {
    for (int i = 0; i < width * height; ++i) {
      float sum = 0;
      for (int k = -radius; k <= radius; ++k) {
        const int x = std::clamp(i % width + k * dx, 0, width - 1),
                  y = std::clamp(i / width + k * dy, 0, height - 1);
        sum = std::fma(from[static_cast<std::size_t>(y * width + x)],
                       taps[static_cast<std::size_t>(radius + k)], sum);
      }
      to[static_cast<std::size_t>(i)] = sum;
    }
  };
  pass(data.buffer<float>("image"), data.buffer<float>("rows"), 1, 0);
  pass(data.buffer<float>("rows"), data.buffer<float>("output"), 0, 1);
}

const KernelReference registered("texture_convolution", &reference);

}  // namespace
}  // namespace heddle::kernels::texture_convolution
