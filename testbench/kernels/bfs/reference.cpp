#include <algorithm>
#include <queue>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::bfs {
namespace {

void reference(KernelData& data) {
  const auto first = data.buffer<std::uint32_t>("first");
  const auto degree = data.buffer<std::uint32_t>("degree");
  const auto edges = data.buffer<std::uint32_t>("edges");
  const auto levels = data.buffer<std::int32_t>("levels");
  std::fill(levels.begin(), levels.end(), -1);
  std::queue<std::uint32_t> waiting;
  waiting.push(static_cast<std::uint32_t>(data.integer("source")));
  levels[waiting.front()] = 0;
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.front();
    waiting.pop();
    for (std::uint32_t e = first[node]; e < first[node] + degree[node]; ++e) {
      if (levels[edges[e]] != -1) continue;
      levels[edges[e]] = levels[node] + 1;
      waiting.push(edges[e]);
    }
  }
}

const KernelReference registered("bfs", &reference);

}  // namespace
}  // namespace heddle::kernels::bfs
