#include "models/reference/post_dominators.h"

#include <fmt/format.h>

#include "models/core/error.h"

// The iterative algorithm of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm") on the
// reversed graph of basic blocks. Inside a block every instruction is post-dominated by the next one.
//
// Lanes that exit leave the others alone. A guarded exit is no edge. A block that is nothing but an exit
// stands once for every edge into it, so that every branch to a shared `ret` is an exit of its own. Of all
// exits the one that most nodes lead to (of equals the last) is the end of these nodes; then the same for the
// nodes that are left. Edges from nodes of one end to nodes of another are paths that only exit early, and
// are dropped.

namespace heddle::reference {
namespace {

using isa::Instruction;
using isa::Opcode;

bool ends_path(const Instruction& i) {
  return !i.guard.present && (i.op == Opcode::exit || i.op == Opcode::trap || i.op == Opcode::bra);
}

void check_flow(const isa::Program& program) {
  const auto size = static_cast<std::int64_t>(program.code.size());
  for (const Instruction& i : program.code) {
    if (i.is_branch() && (i.target < 0 || i.target >= size))
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
      if (code[i].is_branch()) leader[code[i].target] = true;
      const bool splits = code[i].is_branch() || code[i].op == Opcode::exit || code[i].op == Opcode::trap;
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

  /// Nodes: the blocks, then one for every edge into a bare exit, then the end.
  void link() {
    const int blocks = static_cast<int>(first_.size());
    for (int b = 0; b < blocks; ++b) add_node(b);
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      if (!is_last(i)) continue;
      const Instruction& last = program_.code[i];
      if (!ends_path(last)) add_edge(block_of_[i], block_of_[i + 1]);
      const bool twice = !ends_path(last) && last.is_branch() && block_of_[last.target] == block_of_[i + 1];
      if (last.is_branch() && !twice) add_edge(block_of_[i], block_of_[last.target]);
    }
    end_ = static_cast<int>(block_of_node_.size());
    for (int n = 0; n < end_; ++n) {
      const Instruction& last = program_.code[last_instruction(block_of_node_[n])];
      const bool exits = !last.guard.present && (last.op == Opcode::exit || last.op == Opcode::trap);
      const bool replaced = n < blocks && n != 0 && is_bare_exit(n);
      if (exits && !replaced) exits_.push_back(n);
    }
  }
  std::size_t last_instruction(int block) const {
    return block + 1 < static_cast<int>(first_.size()) ? first_[block + 1] - 1 : block_of_.size() - 1;
  }
  int add_node(int block) {
    block_of_node_.push_back(block);
    sources_.emplace_back();
    return static_cast<int>(block_of_node_.size()) - 1;
  }
  void add_edge(int from, int to) { sources_[is_bare_exit(to) ? add_node(to) : to].push_back(from); }

  /// Nodes without an end so far that lead to `exit`, itself included.
  std::vector<int> leading_to(int exit, const std::vector<int>& end_of) const {
    std::vector<bool> met(end_of.size(), false);
    std::vector<int> list{exit};
    met[exit] = true;
    for (std::size_t next = 0; next < list.size(); ++next)
      for (int source : sources_[list[next]])
        if (!met[source] && end_of[source] < 0) {
          met[source] = true;
          list.push_back(source);
        }
    return list;
  }

  void assign_ends() {
    std::vector<int> end_of(end_, -1);
    for (;;) {
      int chosen = -1;
      std::vector<int> members;
      for (int exit : exits_) {
        if (end_of[exit] >= 0) continue;
        std::vector<int> list = leading_to(exit, end_of);
        if (list.size() < members.size()) continue;
        members = std::move(list);
        chosen = exit;
      }
      if (chosen < 0) break;
      for (int member : members) end_of[member] = chosen;
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

  /// Post-order numbers of the reversed graph, from the end; -1 = the end cannot be reached.
  void order() {
    number_.assign(end_ + 1, -1);
    std::vector<bool> seen(end_ + 1, false);
    std::vector<std::pair<int, std::size_t>> stack{{end_, 0}};
    seen[end_] = true;
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      if (next < predecessors_[block].size()) {
        const int p = predecessors_[block][next++];
        if (!seen[p]) {
          seen[p] = true;
          stack.push_back({p, 0});
        }
      } else {
        number_[block] = static_cast<int>(post_order_.size());
        post_order_.push_back(block);
        stack.pop_back();
      }
    }
  }

  void solve() {
    idom_.assign(end_ + 1, -1);
    idom_[end_] = end_;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = post_order_.size() - 1; i-- > 0;) {  // reverse post-order, without the end
        const int block = post_order_[i];
        int dominator = -1;
        for (int s : successors_[block]) {
          if (idom_[s] < 0) continue;
          dominator = dominator < 0 ? s : intersect(dominator, s);
        }
        if (dominator != idom_[block]) {
          idom_[block] = dominator;
          changed = true;
        }
      }
    }
  }
  int intersect(int a, int b) const {
    while (a != b) {
      while (number_[a] < number_[b]) a = idom_[a];
      while (number_[b] < number_[a]) b = idom_[b];
    }
    return a;
  }

  const isa::Program& program_;
  std::vector<std::int32_t> first_;  // first instruction of each block
  std::vector<int> block_of_;
  std::vector<int> block_of_node_;
  std::vector<std::vector<int>> sources_;  // by node, over all edges
  std::vector<int> exits_;
  int end_ = 0;  // number of the virtual end
  std::vector<std::vector<int>> successors_, predecessors_;
  std::vector<int> number_, post_order_, idom_;
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
