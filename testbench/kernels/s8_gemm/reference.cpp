#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::s8_gemm {
namespace {

void reference(KernelData& data) {
  const auto a = data.buffer<std::int8_t>("a"), b = data.buffer<std::int8_t>("b");
  const auto c = data.buffer<std::int32_t>("c");
  const auto columns = static_cast<std::size_t>(data.integer("columns"));
  const auto inner = static_cast<std::size_t>(data.integer("inner"));
  for (std::size_t i = 0; i < c.size(); ++i) {
    c[i] = 0;
    for (std::size_t k = 0; k < inner; ++k)
      c[i] += a[i / columns * inner + k] * b[i % columns * inner + k];  // b is stored by columns
  }
}

const KernelReference registered("s8_gemm", &reference);

}  // namespace
}  // namespace heddle::kernels::s8_gemm
