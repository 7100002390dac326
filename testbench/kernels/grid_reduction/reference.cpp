#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::grid_reduction {
namespace {

void reference(KernelData& data) {
  const auto values = data.buffer<std::uint32_t>("values");
  for (std::uint32_t& total : data.buffer<std::uint32_t>("totals")) {
    std::uint32_t sum = 0;
    for (const std::uint32_t value : values) sum += value;
    total = sum;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = (3 * values[i]) ^ ((sum >> 3) + static_cast<std::uint32_t>(i));
  }
}

const KernelReference registered("grid_reduction", &reference);

}  // namespace
}  // namespace heddle::kernels::grid_reduction
