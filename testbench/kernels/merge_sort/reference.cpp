#include <algorithm>
#include <numeric>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::merge_sort {
namespace {

void reference(KernelData& data) {
  const auto keys = data.buffer<std::uint32_t>("keys"), sorted = data.buffer<std::uint32_t>("sorted"),
             origins = data.buffer<std::uint32_t>("origins");
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted[i] = keys[order[i]];
    origins[i] = order[i];
  }
}

const KernelReference registered("merge_sort", &reference);

}  // namespace
}  // namespace heddle::kernels::merge_sort
