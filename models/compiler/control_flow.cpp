#include "models/compiler/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/compiler/dominators.h"
#include "models/compiler/use_def.h"
#include "models/core/error.h"

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
}

bool ControlFlow::dominates(int a, int b) const {
  while (b != kNoBlock && b != a) b = dominators_[static_cast<std::size_t>(b)];
  return b == a;
}

// A back edge's target dominates its source; the loop holds all blocks that reach the source without passing
// the target. Loops with the same head are one loop.
void ControlFlow::find_loops() {
  for (int head = 0; head < size(); ++head) {
    if (!block(head).reachable) continue;
    std::vector<bool> inside(blocks_.size(), false);
    std::vector<int> work;
    for (const int p : block(head).predecessors)
      if (block(p).reachable && dominates(head, p)) work.push_back(p);
    if (work.empty()) continue;
    inside[static_cast<std::size_t>(head)] = true;
    while (!work.empty()) {
      const int b = work.back();
      work.pop_back();
      if (inside[static_cast<std::size_t>(b)] || !block(b).reachable) continue;
      inside[static_cast<std::size_t>(b)] = true;
      for (const int p : block(b).predecessors) work.push_back(p);
    }
    for (int b = 0; b < size(); ++b)
      if (inside[static_cast<std::size_t>(b)]) ++blocks_[static_cast<std::size_t>(b)].loop_depth;
  }
}

std::vector<int> ControlFlow::reachable_without(int from, int barrier) const {
  std::vector<int> found;
  if (from == barrier) return found;
  std::vector<bool> seen(blocks_.size(), false);
  found.push_back(from);
  seen[static_cast<std::size_t>(from)] = true;
  for (std::size_t n = 0; n < found.size(); ++n) {
    for (const int s : block(found[n]).successors) {
      if (s == barrier || seen[static_cast<std::size_t>(s)]) continue;
      seen[static_cast<std::size_t>(s)] = true;
      found.push_back(s);
    }
  }
  return found;
}

}  // namespace heddle::compiler
