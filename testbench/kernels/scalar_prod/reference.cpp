#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::scalar_prod {
namespace {

void reference(KernelData& data) {
  const auto a = data.buffer<float>("a");
  const auto b = data.buffer<float>("b");
  const auto result = data.buffer<float>("result");
  const std::size_t elements = static_cast<std::size_t>(data.integer("elements"));
  for (std::size_t pair = 0; pair < result.size(); ++pair) {
    double sum = 0.0;
    for (std::size_t i = 0; i < elements; ++i) {
      sum += static_cast<double>(a[pair * elements + i]) * b[pair * elements + i];
    }
    result[pair] = static_cast<float>(sum);
  }
}

const KernelReference registered("scalar_prod", &reference);

}  // namespace
}  // namespace heddle::kernels::scalar_prod
