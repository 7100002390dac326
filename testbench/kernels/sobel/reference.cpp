#include <algorithm>
#include <array>
#include <cstdlib>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::sobel {
namespace {

void reference(KernelData& data) {
  const int width = static_cast<int>(data.integer("width")),
            height = static_cast<int>(data.integer("height"));
  const int scale = static_cast<int>(data.integer("sixteenths"));
  const auto image = data.buffer<std::uint8_t>("image");
  const auto by_look_ups = data.buffer<std::uint8_t>("by_look_ups"),
             by_tiles = data.buffer<std::uint8_t>("by_tiles");
  const std::array<int, 3> smooth{1, 2, 1}, slope{-1, 0, 1};
  for (int i = 0; i < width * height; ++i) {
    int across = 0, down = 0;
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) {
        const int cx = std::clamp(i % width + x - 1, 0, width - 1),
                  cy = std::clamp(i / width + y - 1, 0, height - 1);
        const int value = image[static_cast<std::size_t>(cy * width + cx)];
        const auto sx = static_cast<std::size_t>(x), sy = static_cast<std::size_t>(y);
        across += slope[sx] * smooth[sy] * value;
        down += smooth[sx] * slope[sy] * value;
      }
    const int strength = scale * (std::abs(across) + std::abs(down)) / 16;
    by_look_ups[static_cast<std::size_t>(i)] = by_tiles[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(std::min(strength, 255));
  }
}

const KernelReference registered("sobel", &reference);

}  // namespace
}  // namespace heddle::kernels::sobel
