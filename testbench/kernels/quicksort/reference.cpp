#include <algorithm>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::quicksort {
namespace {

void reference(KernelData& data) {
  const auto values = data.buffer<std::int32_t>("values");
  const auto own = static_cast<std::size_t>(data.integer("own"));
  for (std::size_t first = 0; first < values.size(); first += own)
    std::sort(values.begin() + static_cast<std::ptrdiff_t>(first),
              values.begin() + static_cast<std::ptrdiff_t>(first + own));
}

const KernelReference registered("quicksort", &reference);

}  // namespace
}  // namespace heddle::kernels::quicksort
