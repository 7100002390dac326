#include "testbench/kernels/kernel_reference.h"
#include "testbench/kernels/matrix_reference.h"

namespace heddle::kernels::flash_attention {
namespace {

void reference(KernelData& data) {
  const auto query = data.buffer<float>("query"), key = data.buffer<float>("key"),
             value = data.buffer<float>("value"), out = data.buffer<float>("out");
  const auto count = static_cast<std::size_t>(data.integer("count"));
  const auto width = static_cast<std::size_t>(data.integer("width"));
  for (std::size_t row = 0; row < count; ++row) {
    std::vector<double> weights(count);
    double total = 0;
    for (std::size_t k = 0; k < count; ++k) {
      double score = 0;
      for (std::size_t i = 0; i < width; ++i)
        score += half(query[row * width + i]) * half(key[k * width + i]);
      total += weights[k] = std::exp(score / std::sqrt(static_cast<double>(width)));
    }
    for (std::size_t i = 0; i < width; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum += weights[k] / total * half(value[k * width + i]);
      out[row * width + i] = static_cast<float>(sum);
    }
  }
}

const KernelReference registered("flash_attention", &reference);

}  // namespace
}  // namespace heddle::kernels::flash_attention
