#include "testbench/kernels/kernel_reference.h"
#include "testbench/kernels/matrix_reference.h"

namespace heddle::kernels::async_gemm {
namespace {

void reference(KernelData& data) {
  const auto c = data.buffer<float>("c");
  const std::vector<double> sums = product(data.buffer<float>("a"), data.buffer<float>("b"),
                                           static_cast<std::size_t>(data.integer("columns")),
                                           static_cast<std::size_t>(data.integer("inner")), half);
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<float>(sums[i]);
}

const KernelReference registered("async_gemm", &reference);

}  // namespace
}  // namespace heddle::kernels::async_gemm
