#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::eigenvalues {
namespace {

void reference(KernelData& data) {
  const auto diagonal = data.buffer<float>("diagonal"), beside = data.buffer<float>("beside"),
             values = data.buffer<float>("values");
  for (std::size_t k = 0; k < values.size(); ++k) {
    auto low = static_cast<float>(data.number("low")), high = static_cast<float>(data.number("high"));
    for (std::int64_t round = 0; round < data.integer("rounds"); ++round) {
      const float middle = 0.5f * (low + high);
      std::size_t count = 0;
      float pivot = 1.0f;
      for (std::size_t i = 0; i < diagonal.size(); ++i) {
        const float square = i == 0 ? 0.0f : beside[i - 1] * beside[i - 1];
        pivot = (diagonal[i] - middle) - square / pivot;
        if (std::fabs(pivot) < 1e-30f) pivot = -1e-30f;
        count += pivot < 0.0f ? 1 : 0;
      }
      (count > k ? high : low) = middle;
    }
    values[k] = 0.5f * (low + high);
  }
}

const KernelReference registered("eigenvalues", &reference);

}  // namespace
}  // namespace heddle::kernels::eigenvalues
