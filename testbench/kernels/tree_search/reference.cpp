#include <functional>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::tree_search {
namespace {

// The keys are multiples of `spacing`. An in-order traversal of the tree visits them in rising order.
void reference(KernelData& data) {
  const auto keys = data.buffer<std::int32_t>("keys");
  const auto lows = data.buffer<std::int32_t>("lows");
  const auto spans = data.buffer<std::int32_t>("spans");
  const auto counts = data.buffer<std::uint32_t>("counts");
  const auto sums = data.buffer<std::int64_t>("sums");
  const auto spacing = data.integer("spacing");
  std::int64_t next = 0;
  const std::function<void(std::size_t)> walk = [&](std::size_t node) {
    if (node >= keys.size()) return;
    walk(2 * node + 1);
    keys[node] = static_cast<std::int32_t>(next++ * spacing);
    walk(2 * node + 2);
  };
  walk(0);
  for (std::size_t query = 0; query < lows.size(); ++query) {
    for (std::int64_t k = 0; k < next; ++k) {
      const std::int64_t key = k * spacing;
      if (key < lows[query] || key > lows[query] + spans[query]) continue;
      ++counts[query];
      sums[query] += key * key;
    }
  }
}

const KernelReference registered("tree_search", &reference);

}  // namespace
}  // namespace heddle::kernels::tree_search
