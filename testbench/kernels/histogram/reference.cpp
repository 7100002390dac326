#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::histogram {
namespace {

void reference(KernelData& data) {
  const auto words = data.buffer<std::uint32_t>("data");
  const auto counts = data.buffer<std::uint32_t>("counts");
  for (const std::uint32_t word : words) {
    for (int byte = 0; byte < 4; ++byte) ++counts[(word >> (8 * byte)) & 0xff];
  }
}

const KernelReference registered("histogram", &reference);

}  // namespace
}  // namespace heddle::kernels::histogram
