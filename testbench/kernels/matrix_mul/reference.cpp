#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::matrix_mul {
namespace {

void reference(KernelData& data) {
  const auto a = data.buffer<float>("a");
  const auto b = data.buffer<float>("b");
  const auto c = data.buffer<float>("c");
  const auto height = data.integer("height");
  const auto depth = data.integer("depth");
  const auto width = data.integer("width");
  for (std::int64_t row = 0; row < height; ++row) {
    for (std::int64_t column = 0; column < width; ++column) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < depth; ++k)
        sum += static_cast<double>(a[row * depth + k]) * b[k * width + column];
      c[row * width + column] = static_cast<float>(sum);
    }
  }
}

const KernelReference registered("matrix_mul", &reference);

}  // namespace
}  // namespace heddle::kernels::matrix_mul
