#include <algorithm>
#include <cstdlib>
#include <limits>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::block_matching {
namespace {

struct Frames {
  std::span<const std::uint8_t> now, before;
  int width, height;
  int apart(int x, int y, int dx, int dy) const {
    const int bx = std::clamp(x + dx, 0, width - 1), by = std::clamp(y + dy, 0, height - 1);
    return std::abs(int{now[static_cast<std::size_t>(y * width + x)]} -
                    int{before[static_cast<std::size_t>(by * width + bx)]});
  }
  int sad(int left, int top, int size, int dx, int dy) const {
    int sum = 0;
    for (int y = top; y < top + size; ++y)
      for (int x = left; x < left + size; ++x) sum += apart(x, y, dx, dy);
    return sum;
  }
};

void reference(KernelData& data) {
  const int across = static_cast<int>(data.integer("across")), down = static_cast<int>(data.integer("down"));
  const int range = static_cast<int>(data.integer("range")), side = 2 * range + 1, offsets = side * side;
  const Frames frames{data.buffer<std::uint8_t>("frame"), data.buffer<std::uint8_t>("before"), 16 * across,
                      16 * down};
  const auto best = data.buffer<std::uint32_t>("best");
  std::fill(best.begin(), best.end(), std::numeric_limits<std::uint32_t>::max());
  for (const int size : {4, 8, 16}) {
    const auto sads = data.buffer<std::uint16_t>("sads_" + std::to_string(size));
    const int row = 16 / size;
    std::size_t at = 0;
    for (int macroblock = 0; macroblock < across * down; ++macroblock)
      for (int block = 0; block < row * row; ++block)
        for (int offset = 0; offset < offsets; ++offset) {
          const int sad = frames.sad(16 * (macroblock % across) + size * (block % row),
                                     16 * (macroblock / across) + size * (block / row), size,
                                     offset % side - range, offset / side - range);
          sads[at++] = static_cast<std::uint16_t>(sad);
          if (size < 16) continue;
          std::uint32_t& least = best[static_cast<std::size_t>(macroblock)];
          least = std::min(least, static_cast<std::uint32_t>(sad) << 16 | static_cast<std::uint32_t>(offset));
        }
  }
}

const KernelReference registered("block_matching", &reference);

}  // namespace
}  // namespace heddle::kernels::block_matching
