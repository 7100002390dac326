#include <numeric>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::scan {
namespace {

void reference(KernelData& data) {
  const auto input = data.buffer<std::uint32_t>("input");
  const auto output = data.buffer<std::uint32_t>("output");
  std::exclusive_scan(input.begin(), input.end(), output.begin(), std::uint32_t{0});
}

const KernelReference registered("scan", &reference);

}  // namespace
}  // namespace heddle::kernels::scan
