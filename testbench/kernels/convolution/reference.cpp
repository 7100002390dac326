#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::convolution {
namespace {

void reference(KernelData& data) {
  const auto image = data.buffer<float>("image");
  const auto taps = data.buffer<float>("taps_data");
  const auto output = data.buffer<float>("output");
  const auto width = data.integer("width");
  const auto height = data.integer("height");
  const std::int64_t radius = static_cast<std::int64_t>(taps.size() / 2);
  std::vector<double> rows_done(image.size());
  for (std::int64_t at = 0; at < width * height; ++at) {
    for (std::int64_t k = -radius; k <= radius; ++k) {
      const std::int64_t x = at % width + k;
      if (x >= 0 && x < width) rows_done[at] += static_cast<double>(taps[k + radius]) * image[at + k];
    }
  }
  for (std::int64_t at = 0; at < width * height; ++at) {
    double sum = 0.0;
    for (std::int64_t k = -radius; k <= radius; ++k) {
      const std::int64_t y = at / width + k;
      if (y >= 0 && y < height) sum += taps[k + radius] * rows_done[at + k * width];
    }
    output[at] = static_cast<float>(sum);
  }
}

const KernelReference registered("convolution", &reference);

}  // namespace
}  // namespace heddle::kernels::convolution
