#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::saxpy {
namespace {

// The kernel fuses multiplication and addition, so the reference does too.
void reference(KernelData& data) {
  const auto x = data.buffer<float>("x");
  const auto y = data.buffer<float>("y");
  const float alpha = static_cast<float>(data.number("alpha"));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::fma(alpha, x[i], y[i]);
}

const KernelReference registered("saxpy", &reference);

}  // namespace
}  // namespace heddle::kernels::saxpy
