#include "models/reference/post_dominators.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "models/core/error.h"
#include "models/isa/kept_calls.h"

// Computes post-dominators by the algorithm of Lengauer and Tarjan ("A fast algorithm for finding dominators
// in a flowgraph", TOPLAS 1979; the simple version), on the reversed graph of basic blocks. The cost is
// slightly more than linear for all graphs.
//
// Exits need special rules, because lanes that exit do not wait for other lanes:
// - An exit with a guard has no edge to the end of the program.
// - A block that consists only of an exit is duplicated for each edge into it. Each branch to a shared `ret`
//   thus has a separate exit.
// - The exit to which most nodes lead becomes the end of all these nodes. Among equal exits, the last exit is
//   chosen. The rule is repeated for the remaining nodes. A trap ends all threads, so it becomes the end only
//   of nodes that lead to no exit.
// - Edges between nodes with different ends are removed, because they belong to paths that exit early.

namespace heddle::reference {
namespace {

using isa::Instruction;
using isa::Opcode;

/// Returns true for branches other than calls and returns: after a call, execution continues at the next
/// instruction, and a return ends its function, as an exit ends the kernel.
bool jumps(const Instruction& i) { return i.is_branch() && i.payload == 0; }
bool leaves(const Instruction& i) {
  return i.op == Opcode::exit || i.op == Opcode::trap || isa::is_return(i);
}
bool ends_path(const Instruction& i) { return !i.guard.present && (leaves(i) || jumps(i)); }

void check_flow(const isa::Program& program) {
  const auto size = static_cast<std::int64_t>(program.code.size());
  for (const Instruction& i : program.code) {
    if (jumps(i) && (i.target < 0 || i.target >= size))
      throw Error(fmt::format("{}:{}", program.file, i.location.ptx_line),
                  fmt::format("kernel {}: branch to instruction {} of {}", program.kernel, i.target, size));
  }
  if (size == 0 || !ends_path(program.code.back()))
    throw Error(program.file, fmt::format("kernel {} runs past its last instruction", program.kernel),
                "a program whose every path ends in exit");
}

class BlockGraph {
 public:
  explicit BlockGraph(const isa::Program& program) : program_(program) {
    mark_leaders();
    link();
    assign_ends();
    order();
    solve();
  }

  std::int32_t of_instruction(std::size_t instruction) const {
    const int dominator = idom_[block_of_[instruction]];
    if (dominator < 0) return isa::kNoTarget;
    if (!is_last(instruction)) return static_cast<std::int32_t>(instruction + 1);
    return dominator == end_ ? isa::kNoTarget : first_[block_of_node_[dominator]];
  }

 private:
  bool is_last(std::size_t instruction) const {
    return instruction + 1 == block_of_.size() || block_of_[instruction + 1] != block_of_[instruction];
  }
  void mark_leaders() {
    const auto& code = program_.code;
    std::vector<bool> leader(code.size(), false);
    leader[0] = true;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (jumps(code[i])) leader[code[i].target] = true;
      const bool splits = jumps(code[i]) || leaves(code[i]);
      if (splits && i + 1 < code.size()) leader[i + 1] = true;
    }
    block_of_.resize(code.size());
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (leader[i]) first_.push_back(static_cast<std::int32_t>(i));
      block_of_[i] = static_cast<int>(first_.size()) - 1;
    }
  }

  bool is_bare_exit(int block) const {
    const Instruction& only = program_.code[first_[block]];
    return is_last(first_[block]) && only.op == Opcode::exit && !only.guard.present;
  }

  /// Creates a node for each basic block and for the end of the program. Also creates a node for each edge
  /// into a block that consists only of an exit.
  void link() {
    const int blocks = static_cast<int>(first_.size());
    for (int b = 0; b < blocks; ++b) add_node(b);
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      if (!is_last(i)) continue;
      const Instruction& last = program_.code[i];
      if (!ends_path(last)) add_edge(block_of_[i], block_of_[i + 1]);
      const bool twice = !ends_path(last) && jumps(last) && block_of_[last.target] == block_of_[i + 1];
      if (jumps(last) && !twice) add_edge(block_of_[i], block_of_[last.target]);
    }
    end_ = static_cast<int>(block_of_node_.size());
    for (int n = 0; n < end_; ++n) {
      const Instruction& last = program_.code[last_instruction(block_of_node_[n])];
      const bool exits = !last.guard.present && leaves(last);
      const bool replaced = n < blocks && n != 0 && is_bare_exit(n);
      if (exits && !replaced) exits_.push_back(n);
    }
  }
  std::size_t last_instruction(int block) const {
    return block + 1 < static_cast<int>(first_.size()) ? first_[block + 1] - 1 : block_of_.size() - 1;
  }
  bool is_trap(int node) const {
    return program_.code[last_instruction(block_of_node_[node])].op == Opcode::trap;
  }
  int add_node(int block) {
    block_of_node_.push_back(block);
    sources_.emplace_back();
    return static_cast<int>(block_of_node_.size()) - 1;
  }
  void add_edge(int from, int to) { sources_[is_bare_exit(to) ? add_node(to) : to].push_back(from); }

  std::vector<int> leading_to(int exit, const std::vector<int>& end_of) {
    met_.resize(end_of.size(), -1);
    std::vector<int> list{exit};
    met_[exit] = ++search_;
    for (std::size_t next = 0; next < list.size(); ++next)
      for (int source : sources_[list[next]])
        if (met_[source] != search_ && end_of[source] < 0) {
          met_[source] = search_;
          list.push_back(source);
        }
    return list;
  }

  /// Returns an upper bound for the number of nodes that lead to each node. The cycles of the graph form groups
  /// (path-based algorithm of Gabow), in the order in which a depth-first search from the exits completes these
  /// groups. If node A leads to node B, A is in B's group or in an earlier group. The bound for B is the number
  /// of inner nodes (nodes that lead to another node) in B's group and all earlier groups.
  std::vector<int> inner_nodes_before() const {
    std::vector<int> number(end_, -1), result(end_, -1), open, starts;
    std::vector<bool> leads(end_, false);
    for (const auto& sources : sources_)
      for (int source : sources) leads[source] = true;
    int numbers = 0, inner = 0;
    std::vector<std::pair<int, std::size_t>> stack;
    const auto enter = [&](int n) {
      number[n] = numbers++;
      open.push_back(n);
      starts.push_back(n);
      stack.push_back({n, 0});
    };
    for (int exit : exits_) {
      if (number[exit] < 0) enter(exit);
      while (!stack.empty()) {
        const int n = stack.back().first;
        if (stack.back().second < sources_[n].size()) {
          const int source = sources_[n][stack.back().second++];
          if (number[source] < 0)
            enter(source);
          else if (result[source] < 0)
            while (number[starts.back()] > number[source]) starts.pop_back();
          continue;
        }
        stack.pop_back();
        if (starts.back() != n) continue;
        starts.pop_back();
        const std::size_t first = std::find(open.rbegin(), open.rend(), n).base() - open.begin() - 1;
        for (std::size_t i = first; i < open.size(); ++i) inner += leads[open[i]] ? 1 : 0;
        for (std::size_t i = first; i < open.size(); ++i) result[open[i]] = inner;
        open.resize(first);
      }
    }
    return result;
  }

  /// Assigns an exit to each node as its end. Each step takes the exit to which most remaining nodes lead.
  /// The number of nodes that lead to an exit only shrinks, so a number from an earlier step is an upper
  /// bound. Each step therefore recomputes only the exit with the largest bound.
  void assign_ends() {
    std::vector<int> end_of(end_, -1);
    using Bound = std::tuple<bool, std::size_t, std::size_t>;
    std::priority_queue<Bound> bounds;
    const std::vector<int> before = inner_nodes_before();
    for (std::size_t e = 0; e < exits_.size(); ++e)
      bounds.push({!is_trap(exits_[e]), static_cast<std::size_t>(before[exits_[e]]) + 1, e});
    while (!bounds.empty()) {
      const auto [ordinary, bound, e] = bounds.top();
      bounds.pop();
      if (end_of[exits_[e]] >= 0) continue;
      const std::vector<int> members = leading_to(exits_[e], end_of);
      if (members.size() < bound) {
        bounds.push({ordinary, members.size(), e});
        continue;
      }
      for (int member : members) end_of[member] = exits_[e];
    }
    successors_.resize(end_ + 1);
    predecessors_.resize(end_ + 1);
    for (int n = 0; n < end_; ++n) {
      if (end_of[n] == n) connect(n, end_);
      for (int source : sources_[n])
        if (end_of[n] >= 0 && end_of[source] == end_of[n]) connect(source, n);
    }
  }
  void connect(int from, int to) {
    successors_[from].push_back(to);
    predecessors_[to].push_back(from);
  }

  void order() {
    number_.assign(end_ + 1, -1);
    std::vector<std::pair<int, std::size_t>> stack;
    const auto enter = [&](int node, int parent) {
      number_[node] = static_cast<int>(node_.size());
      node_.push_back(node);
      parent_.push_back(parent);
      stack.push_back({node, 0});
    };
    enter(end_, -1);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == predecessors_[node].size()) {
        stack.pop_back();
        continue;
      }
      const int p = predecessors_[node][next++];
      if (number_[p] < 0) enter(p, number_[node]);
    }
  }

  /// Nodes are identified by their preorder numbers. As in the paper of Lengauer and Tarjan, semi_[v] is the
  /// semidominator of v, and label_[v] the node with the least semidominator on v's path to the root.
  void solve() {
    const int size = static_cast<int>(node_.size());
    std::vector<int> dominator(size, 0);
    std::vector<std::vector<int>> bucket(size);
    for (int v = 0; v < size; ++v) semi_.push_back(v);
    label_ = semi_;
    linked_.assign(size, -1);
    for (int v = size - 1; v > 0; --v) {
      for (int s : successors_[node_[v]])
        if (number_[s] >= 0) semi_[v] = std::min(semi_[v], semi_[least_above(number_[s])]);
      bucket[semi_[v]].push_back(v);
      linked_[v] = parent_[v];
      for (int w : std::exchange(bucket[parent_[v]], {})) {
        const int u = least_above(w);
        dominator[w] = semi_[u] < semi_[w] ? u : parent_[v];
      }
    }
    idom_.assign(end_ + 1, -1);
    idom_[end_] = end_;
    for (int v = 1; v < size; ++v) {
      if (dominator[v] != semi_[v]) dominator[v] = dominator[dominator[v]];
      idom_[node_[v]] = node_[dominator[v]];
    }
  }
  int least_above(int v) {
    if (linked_[v] < 0) return v;
    way_.clear();
    for (int n = v; linked_[linked_[n]] >= 0; n = linked_[n]) way_.push_back(n);
    for (; !way_.empty(); way_.pop_back()) {
      const int n = way_.back(), above = linked_[n];
      if (semi_[label_[above]] < semi_[label_[n]]) label_[n] = label_[above];
      linked_[n] = linked_[above];
    }
    return label_[v];
  }

  const isa::Program& program_;
  std::vector<std::int32_t> first_;
  std::vector<int> block_of_;
  std::vector<int> block_of_node_;
  std::vector<std::vector<int>> sources_;
  std::vector<int> exits_;
  std::vector<int> met_;
  int search_ = 0;
  int end_ = 0;
  std::vector<std::vector<int>> successors_, predecessors_;
  std::vector<int> number_, idom_;
  std::vector<int> node_, parent_, semi_, label_, linked_;
  std::vector<int> way_;
};

}  // namespace

std::vector<std::int32_t> immediate_post_dominators(const isa::Program& program) {
  check_flow(program);
  const BlockGraph graph(program);
  std::vector<std::int32_t> result(program.code.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = graph.of_instruction(i);
  return result;
}

}  // namespace heddle::reference
