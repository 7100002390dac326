#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::vector_add {
namespace {

void reference(KernelData& data) {
  const auto a = data.buffer<float>("a");
  const auto b = data.buffer<float>("b");
  const auto c = data.buffer<float>("c");
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] + b[i];
}

const KernelReference registered("vector_add", &reference);

}  // namespace
}  // namespace heddle::kernels::vector_add
