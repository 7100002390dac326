#include "models/compiler/warp_flow.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

void sort_once_each(std::vector<int>& blocks) {
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
}

bool leads_to(const ControlFlow& flow, int block, int to) {
  const std::vector<int>& successors = flow.block(block).successors;
  return to != kNoBlock && std::find(successors.begin(), successors.end(), to) != successors.end();
}

}  // namespace

void WarpFlow::add(int from, int to) {
  successors_[static_cast<std::size_t>(from)].push_back(to);
  predecessors_[static_cast<std::size_t>(to)].push_back(from);
}

WarpFlow::WarpFlow(const isa::Program& program, const ControlFlow& flow, const Divergence& divergence)
    : predecessors_(static_cast<std::size_t>(flow.size())),
      successors_(static_cast<std::size_t>(flow.size())) {
  for (const int b : flow.order())
    for (const int s : flow.block(b).successors) add(b, s);
  for (const int b : flow.order()) {
    if (!divergence.splits(b)) continue;
    const isa::Instruction& branch = program.code[flow.block(b).end - 1];
    Split split;
    split.block = b;
    split.meet = flow.meeting_of(branch);
    const std::vector<int>& sides = flow.block(b).successors;
    if (sides[0] != split.meet) split.first = sides[0];
    if (sides[1] != split.meet) split.second = sides[1];
    const auto reach = [&](int side) {
      if (side == kNoBlock) return std::vector<int>();
      const auto blocks = flow.reachable_without(side, split.meet);
      return std::vector<int>(blocks.begin(), blocks.end());
    };
    split.on_first = reach(split.first);
    split.on_second = reach(split.second);
    // A side is over where its lanes reach the meeting point or have all exited.
    const int next = split.second != kNoBlock ? split.second : split.meet;
    for (const int e : split.on_first)
      if (next != kNoBlock && (flow.block(e).exits || leads_to(flow, e, split.meet))) add(e, next);
    for (const int e : split.on_second)
      if (split.meet != kNoBlock && flow.block(e).exits) add(e, split.meet);
    splits_.push_back(std::move(split));
  }
  for (auto* edges : {&successors_, &predecessors_})
    for (std::vector<int>& blocks : *edges) sort_once_each(blocks);
}

}  // namespace heddle::compiler
