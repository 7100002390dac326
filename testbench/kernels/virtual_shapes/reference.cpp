#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::virtual_shapes {
namespace {

void reference(KernelData& data) {
  const auto kind = data.buffer<std::int32_t>("kind");
  const auto sizes = data.buffer<float>("size"), factors = data.buffer<float>("factor");
  const auto area = data.buffer<float>("area"), grown = data.buffer<float>("grown");
  for (std::size_t i = 0; i < kind.size(); ++i) {
    const float size = sizes[i], factor = factors[i];
    const int steps = static_cast<int>(i % 4);
    grown[i] = size * static_cast<float>(steps + 1);
    switch (kind[i] % 3) {
      case 0:
        area[i] = size * size;
        break;
      case 1:
        area[i] = size * factor;
        grown[i] = size;
        for (int k = 0; k < steps; ++k) grown[i] = std::fma(grown[i], factor, 0.25f);
        break;
      default:
        area[i] = (size * size - factor * factor) * 3.140625f;
    }
  }
}

const KernelReference registered("virtual_shapes", &reference);

}  // namespace
}  // namespace heddle::kernels::virtual_shapes
