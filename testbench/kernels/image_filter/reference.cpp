#include <algorithm>
#include <cstdlib>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::image_filter {
namespace {

void reference(KernelData& data) {
  const auto image = data.buffer<std::uint8_t>("image");
  const auto smoothed = data.buffer<std::uint8_t>("smoothed");
  const auto strength = data.buffer<std::uint16_t>("strength");
  const int width = static_cast<int>(data.integer("width"));
  const int height = static_cast<int>(data.integer("height"));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int sum = 8;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int at = std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, 0, width - 1);
          sum += (2 - std::abs(dx)) * (2 - std::abs(dy)) * image[at];
        }
      }
      smoothed[y * width + x] = static_cast<std::uint8_t>(sum / 16);
    }
  }
  const auto at = [&](int y, int x) { return static_cast<int>(smoothed[y * width + x]); };
  for (int y = 1; y < height - 1; ++y) {
    for (int x = 1; x < width - 1; ++x) {
      int horizontal = 0;
      int vertical = 0;
      for (int side = -1; side <= 1; ++side) {
        const int weight = 2 - std::abs(side);
        horizontal += weight * (at(y + side, x + 1) - at(y + side, x - 1));
        vertical += weight * (at(y + 1, x + side) - at(y - 1, x + side));
      }
      strength[y * width + x] = static_cast<std::uint16_t>(std::abs(horizontal) + std::abs(vertical));
    }
  }
}

const KernelReference registered("image_filter", &reference);

}  // namespace
}  // namespace heddle::kernels::image_filter
