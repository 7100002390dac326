#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::wavelet_2d {
namespace {

// Applies one level of the 5/3 wavelet transform in place to samples that are `stride` apart.
void lift(std::span<std::int32_t> data, std::size_t first, std::size_t stride, std::size_t count) {
  std::vector<std::int32_t> line;
  for (std::size_t i = 0; i < count; ++i) line.push_back(data[first + i * stride]);
  const std::size_t half = count / 2;
  for (std::size_t i = 1; i < count; i += 2)
    line[i] -= (line[i - 1] + line[i + 1 < count ? i + 1 : i - 1]) >> 1;
  for (std::size_t i = 0; i < count; i += 2) line[i] += (line[i > 0 ? i - 1 : 1] + line[i + 1] + 2) >> 2;
  for (std::size_t i = 0; i < half; ++i) {
    data[first + i * stride] = line[2 * i];
    data[first + (half + i) * stride] = line[2 * i + 1];
  }
}

void reference(KernelData& data) {
  const auto width = static_cast<std::size_t>(data.integer("width")),
             height = static_cast<std::size_t>(data.integer("height"));
  const auto picture = data.buffer<std::int32_t>("picture");
  for (std::int64_t level = 0; level < data.integer("levels"); ++level) {
    const std::size_t w = width >> level, h = height >> level;
    for (std::size_t y = 0; y < h; ++y) lift(picture, y * width, 1, w);
    for (std::size_t x = 0; x < w; ++x) lift(picture, x, width, h);
  }
}

const KernelReference registered("wavelet_2d", &reference);

}  // namespace
}  // namespace heddle::kernels::wavelet_2d
