#include "models/compiler/analyses/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/compiler/analyses/dominators.h"
#include "models/compiler/analyses/use_def.h"
#include "models/core/error.h"
#include "models/isa/branch_sides.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;

bool ends_block(const Instruction& i) { return i.is_branch() || i.op == Opcode::exit || ends_path(i); }
bool falls_through(const Instruction& i) { return !ends_path(i) && !(i.is_branch() && !i.guard.present); }

void check_flow(const isa::Program& program) {
  const auto size = static_cast<std::int64_t>(program.code.size());
  for (const Instruction& i : program.code)
    if (i.is_branch() && (i.target < 0 || i.target >= size))
      throw Error(fmt::format("{}:{}", program.file, i.location.ptx_line),
                  fmt::format("kernel {}: branch to instruction {} of {}", program.kernel, i.target, size));
  if (size == 0 || falls_through(program.code.back()))
    throw Error(program.file, fmt::format("kernel {} runs past its last instruction", program.kernel),
                "a program whose every path ends in exit");
}

}  // namespace

ControlFlow::ControlFlow(const isa::Program& program) {
  check_flow(program);
  find_blocks(program);
  link(program);
  sort();
  find_dominators();
  find_loops();
}

void ControlFlow::find_blocks(const isa::Program& program) {
  const auto& code = program.code;
  std::vector<bool> leader(code.size() + 1, false);
  leader[0] = true;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].is_branch()) leader[static_cast<std::size_t>(code[i].target)] = true;
    if (ends_block(code[i])) leader[i + 1] = true;
  }
  block_of_.resize(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (leader[i]) {
      blocks_.emplace_back();
      blocks_.back().first = static_cast<std::uint32_t>(i);
    }
    blocks_.back().end = static_cast<std::uint32_t>(i + 1);
    block_of_[i] = size() - 1;
  }
}

void ControlFlow::link(const isa::Program& program) {
  for (int b = 0; b < size(); ++b) {
    BasicBlock& block = blocks_[static_cast<std::size_t>(b)];
    const Instruction& last = program.code[block.end - 1];
    block.exits = last.op == Opcode::exit || ends_path(last);
    if (falls_through(last)) block.successors.push_back(b + 1);
    if (last.is_branch()) {
      const int target = block_of_[static_cast<std::size_t>(last.target)];
      if (block.successors.empty() || block.successors[0] != target) block.successors.push_back(target);
    }
    for (const int s : block.successors) blocks_[static_cast<std::size_t>(s)].predecessors.push_back(b);
  }
}

void ControlFlow::sort() {
  std::vector<std::pair<int, std::size_t>> stack{{0, 0}};
  blocks_[0].reachable = true;
  while (!stack.empty()) {
    auto& [b, next] = stack.back();
    const auto& successors = block(b).successors;
    if (next == successors.size()) {
      order_.push_back(b);
      stack.pop_back();
      continue;
    }
    const int s = successors[next++];
    if (block(s).reachable) continue;
    blocks_[static_cast<std::size_t>(s)].reachable = true;
    stack.emplace_back(s, 0);
  }
  std::reverse(order_.begin(), order_.end());
}

void ControlFlow::find_dominators() {
  std::vector<std::pair<int, int>> edges;
  for (int b = 0; b < size(); ++b)
    for (const int s : block(b).successors) edges.emplace_back(b, s);
  dominators_ = compiler::immediate_dominators(size(), edges, 0);
  number_dominators();
}

// Assigns numbers to the nodes of the dominator tree in preorder, so that dominates() need only compare
// numbers.
void ControlFlow::number_dominators() {
  std::vector<int> inside(blocks_.size(), 1), next(blocks_.size(), 0);
  for (std::size_t n = order_.size(); n-- > 1;)
    inside[static_cast<std::size_t>(dominators_[static_cast<std::size_t>(order_[n])])] +=
        inside[static_cast<std::size_t>(order_[n])];
  const int outside = 2 * size();
  entered_.resize(blocks_.size());
  for (int b = 0; b < size(); ++b) entered_[static_cast<std::size_t>(b)] = outside + b;
  left_ = entered_;
  for (const int b : order_) {
    const auto at = static_cast<std::size_t>(b);
    const int parent = dominators_[at];
    entered_[at] = parent == kNoBlock ? 0 : next[static_cast<std::size_t>(parent)];
    if (parent != kNoBlock) next[static_cast<std::size_t>(parent)] += inside[at];
    next[at] = entered_[at] + 1;
    left_[at] = entered_[at] + inside[at] - 1;
  }
}

// Finds the natural loops. A back edge leads to a block that dominates the edge's source: the loop head. The
// loop contains all blocks from which the source is reached without passing the head. Inner loops are found
// first and then count as a single node.
void ControlFlow::find_loops() {
  std::vector<int> head_of(blocks_.size(), kNoBlock);
  std::vector<int> node(blocks_.size());
  for (int b = 0; b < size(); ++b) node[static_cast<std::size_t>(b)] = b;
  const auto find = [&](int b) {
    while (node[static_cast<std::size_t>(b)] != b) {
      int& up = node[static_cast<std::size_t>(b)];
      up = node[static_cast<std::size_t>(up)];
      b = up;
    }
    return b;
  };
  std::vector<bool> is_head(blocks_.size(), false);
  std::vector<int> work;
  for (std::size_t n = order_.size(); n-- > 0;) {
    const int head = order_[n];
    for (const int p : block(head).predecessors) {
      if (!block(p).reachable || !dominates(head, p)) continue;
      is_head[static_cast<std::size_t>(head)] = true;
      work.push_back(p);
    }
    while (!work.empty()) {
      const int b = find(work.back());
      work.pop_back();
      if (b == head || !block(b).reachable) continue;
      node[static_cast<std::size_t>(b)] = head;
      head_of[static_cast<std::size_t>(b)] = head;
      for (const int p : block(b).predecessors) work.push_back(p);
    }
  }
  for (const int b : order_) {
    const int head = head_of[static_cast<std::size_t>(b)];
    blocks_[static_cast<std::size_t>(b)].loop_depth =
        is_head[static_cast<std::size_t>(b)] + (head == kNoBlock ? 0 : block(head).loop_depth);
  }
}

std::span<const int> ControlFlow::reachable_without(int from, int barrier) const {
  walk_without(from, barrier, [](int) { return true; });
  return found_;
}

}  // namespace heddle::compiler
