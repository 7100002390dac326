#include <algorithm>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::box_filter {
namespace {

void reference(KernelData& data) {
  const int width = static_cast<int>(data.integer("width")),
            height = static_cast<int>(data.integer("height"));
  const int radius = static_cast<int>(data.integer("radius"));
  const auto pixels = data.buffer<std::uint8_t>("pixels"), means = data.buffer<std::uint8_t>("means");
  for (int i = 0; i < 4 * width * height; ++i) {
    const int x = i / 4 % width, y = i / 4 / width;
    int sum = 0;
    for (int v = y - radius; v <= y + radius; ++v)
      for (int u = x - radius; u <= x + radius; ++u)
        sum += pixels[static_cast<std::size_t>(
            4 * (std::clamp(v, 0, height - 1) * width + std::clamp(u, 0, width - 1)) + i % 4)];
    means[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(sum / ((2 * radius + 1) * (2 * radius + 1)));
  }
}

const KernelReference registered("box_filter", &reference);

}  // namespace
}  // namespace heddle::kernels::box_filter
