#include "models/compiler/analyses/split_regions.h"

#include <algorithm>

namespace heddle::compiler {

int next_meeting(const isa::Program& program, const ControlFlow& flow, int b) {
  const isa::Instruction& last = program.code[flow.block(b).end - 1];
  const std::vector<int>& successors = flow.block(b).successors;
  if (successors.size() == 1) return successors.front();
  return successors.empty() ? kNoBlock : flow.meeting_of(last);
}

SplitRegions::SplitRegions(const isa::Program& program, const ControlFlow& flow)
    : flow_(&flow), order_(flow.order()), ends_(static_cast<std::size_t>(flow.size()), Ends{kNone, kNone}) {
  constexpr int kUnknown = -1, kBegun = -2;
  std::vector<int> depth(static_cast<std::size_t>(flow.size()), kUnknown), chain;
  for (const int begin : order_) {
    int b = begin;
    while (b != kNoBlock && depth[static_cast<std::size_t>(b)] == kUnknown) {
      depth[static_cast<std::size_t>(b)] = kBegun;
      chain.push_back(b);
      b = next_meeting(program, flow, b);
    }
    int from = b == kNoBlock || depth[static_cast<std::size_t>(b)] == kBegun
                   ? 0
                   : depth[static_cast<std::size_t>(b)];
    for (; !chain.empty(); chain.pop_back()) depth[static_cast<std::size_t>(chain.back())] = ++from;
  }
  const auto meets_at = [&](int b) {
    const int meet = next_meeting(program, flow, b);
    return meet == kNoBlock ? 0 : depth[static_cast<std::size_t>(meet)];
  };
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return meets_at(a) < meets_at(b); });
}

}  // namespace heddle::compiler
