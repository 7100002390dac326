#include "models/compiler/analyses/reconvergence.h"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>

#include "models/compiler/analyses/ancestor_bounds.h"
#include "models/compiler/analyses/dominators.h"
#include "models/compiler/analyses/use_def.h"
#include "models/isa/branch_sides.h"

namespace heddle::compiler {
namespace {

using Edges = std::vector<std::pair<int, int>>;

bool is_bare_exit(const isa::Program& program, const BasicBlock& block) {
  auto first = block.first;
  while (first + 1 < block.end && program.code[first].metadata) ++first;
  return block.end - first == 1 && program.code[first].op == isa::Opcode::exit &&
         ends_path(program.code[first]);
}

// Computes reconvergence by ExitRule::leave: lanes that exit do not affect where the other lanes reconverge.
// The graph's nodes are the blocks, plus one node for each edge into a block that consists only of an exit.
// The exit that can be reached from most nodes becomes the common end of these nodes. Edges from these nodes
// to all other nodes (early exits) are dropped. The same step is then repeated for the remaining nodes.
// Blocks that end with a trap are treated like exits, but come after all exits.
class ExitLevels {
 public:
  ExitLevels(const isa::Program& program, const ControlFlow& flow) {
    for (int b = 0; b < flow.size(); ++b) add_node(b);
    for (int b = 0; b < flow.size(); ++b)
      for (const int s : flow.block(b).successors)
        add_edge(b, is_bare_exit(program, flow.block(s)) ? add_node(s) : s);
    for (int n = 0; n < nodes(); ++n) {
      const BasicBlock& block = flow.block(block_of_[index(n)]);
      if (block.successors.empty() && block.exits &&
          (n >= flow.size() || !predecessors_[index(n)].empty() || n == 0)) {
        exits_.push_back(n);
        is_trap_.push_back(program.code[block.end - 1].op == isa::Opcode::trap);
      }
    }
    bound_exits();
    while (assign_level()) {
    }
  }

  std::vector<int> solve(int blocks) const {
    const int end = nodes();
    Edges reversed;
    for (const int e : ends_) reversed.emplace_back(end, e);
    for (int n = 0; n < nodes(); ++n)
      for (const int p : predecessors_[index(n)])
        if (level_[index(n)] >= 0 && level_[index(p)] == level_[index(n)]) reversed.emplace_back(n, p);
    const std::vector<int> parents = immediate_dominators(end + 1, reversed, end);
    std::vector<int> result(index(blocks), kNoBlock);
    for (int b = 0; b < blocks; ++b) {
      const int parent = parents[index(b)];
      if (parent >= 0 && parent != end) result[index(b)] = block_of_[index(parent)];
    }
    return result;
  }

 private:
  static std::size_t index(int n) { return static_cast<std::size_t>(n); }
  int nodes() const { return static_cast<int>(block_of_.size()); }
  int add_node(int block) {
    block_of_.push_back(block);
    predecessors_.emplace_back();
    level_.push_back(-1);
    return nodes() - 1;
  }
  void add_edge(int from, int to) { predecessors_[index(to)].push_back(from); }

  std::vector<int> unassigned_ancestors(int node) {
    ++search_;
    seen_.resize(block_of_.size(), 0);
    std::vector<int> found{node};
    seen_[index(node)] = search_;
    for (std::size_t n = 0; n < found.size(); ++n) {
      for (const int p : predecessors_[index(found[n])]) {
        if (seen_[index(p)] == search_ || level_[index(p)] >= 0) continue;
        seen_[index(p)] = search_;
        found.push_back(p);
      }
    }
    return found;
  }

  void bound_exits() {
    // Largest number of exits for which no bounds on the number of their ancestors are computed. For so few
    // exits, it is faster to count the ancestors exactly.
    constexpr std::size_t kFew = 8;
    const std::vector<std::size_t> bounds = exits_.size() <= kFew
                                                ? std::vector<std::size_t>(exits_.size(), block_of_.size())
                                                : bound_ancestors(predecessors_, exits_);
    for (std::size_t e = 0; e < exits_.size(); ++e) bounds_.emplace(!is_trap_[e], bounds[e], e);
  }

  // Selects the exit that can be reached from most unassigned nodes, and makes it the end of these nodes.
  // Returns false if no exit is left. Among exits with equal numbers of nodes, selects the last exit in program
  // order, because compilers usually put the normal return there.
  bool assign_level() {
    while (!bounds_.empty()) {
      const auto [ordinary, bound, order] = bounds_.top();
      bounds_.pop();
      const int exit = exits_[order];
      if (level_[index(exit)] >= 0) continue;
      const std::vector<int> ancestors = unassigned_ancestors(exit);
      if (ancestors.size() < bound) {
        bounds_.emplace(ordinary, ancestors.size(), order);
        continue;
      }
      for (const int n : ancestors) level_[index(n)] = static_cast<int>(ends_.size());
      ends_.push_back(exit);
      return true;
    }
    return false;
  }

  std::vector<int> block_of_;
  std::vector<std::vector<int>> predecessors_;
  std::vector<int> level_;
  std::vector<int> exits_;
  std::vector<int> ends_;
  std::vector<bool> is_trap_;
  std::priority_queue<std::tuple<bool, std::size_t, std::size_t>> bounds_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t search_ = 0;
};

std::vector<int> post_dominators(const ControlFlow& flow) {
  const int end = flow.size();
  Edges reversed;
  for (int b = 0; b < flow.size(); ++b) {
    if (flow.block(b).exits) reversed.emplace_back(end, b);
    for (const int s : flow.block(b).successors) reversed.emplace_back(s, b);
  }
  std::vector<int> result = immediate_dominators(end + 1, reversed, end);
  result.pop_back();
  for (int& r : result)
    if (r == end) r = kNoBlock;
  return result;
}

}  // namespace

std::vector<int> reconvergence_blocks(const isa::Program& program, const ControlFlow& flow, ExitRule rule) {
  if (rule == ExitRule::end_of_all) return post_dominators(flow);
  return ExitLevels(program, flow).solve(flow.size());
}

void set_reconvergence(isa::Program& program, const ControlFlow& flow, ExitRule rule) {
  const std::vector<int> meets = reconvergence_blocks(program, flow, rule);
  for (int b = 0; b < flow.size(); ++b) {
    isa::Instruction& last = program.code[flow.block(b).end - 1];
    if (!last.is_branch()) continue;
    const int at = meets[static_cast<std::size_t>(b)];
    last.reconvergence = !last.guard.present || at == kNoBlock
                             ? isa::kNoTarget
                             : static_cast<std::int32_t>(flow.block(at).first);
  }
}

}  // namespace heddle::compiler
