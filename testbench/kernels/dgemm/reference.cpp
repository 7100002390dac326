#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::dgemm {
namespace {

void reference(KernelData& data) {
  const auto a = data.buffer<double>("a"), b = data.buffer<double>("b"), c = data.buffer<double>("c");
  const auto columns = static_cast<std::size_t>(data.integer("columns"));
  const auto inner = static_cast<std::size_t>(data.integer("inner"));
  for (std::size_t at = 0; at < c.size(); ++at) {
    double sum = 0;
    for (std::size_t k = 0; k < inner; ++k)
      sum = std::fma(a[at / columns * inner + k], b[k * columns + at % columns], sum);
    c[at] = std::fma(data.number("alpha"), sum, data.number("beta") * c[at]);
  }
}

const KernelReference registered("dgemm", &reference);

}  // namespace
}  // namespace heddle::kernels::dgemm
