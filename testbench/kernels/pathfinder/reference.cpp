#include <algorithm>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::pathfinder {
namespace {

void reference(KernelData& data) {
  const auto wall = data.buffer<std::int32_t>("wall");
  const auto costs = data.buffer<std::int32_t>("costs");
  const std::size_t columns = costs.size();
  for (std::size_t row = 0; row < wall.size() / columns; ++row) {
    const std::vector<std::int32_t> old(costs.begin(), costs.end());
    for (std::size_t c = 0; c < columns; ++c) {
      std::int32_t best = old[c];
      if (c > 0) best = std::min(best, old[c - 1]);
      if (c + 1 < columns) best = std::min(best, old[c + 1]);
      costs[c] = best + wall[row * columns + c];
    }
  }
}

const KernelReference registered("pathfinder", &reference);

}  // namespace
}  // namespace heddle::kernels::pathfinder
