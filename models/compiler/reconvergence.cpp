#include "models/compiler/reconvergence.h"

#include <algorithm>
#include <string>
#include <utility>

#include "models/compiler/dominators.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/use_def.h"
#include "models/core/registry.h"

namespace heddle::compiler {
namespace {

using Edges = std::vector<std::pair<int, int>>;

bool is_bare_exit(const isa::Program& program, const BasicBlock& block) {
  return block.end - block.first == 1 && program.code[block.first].op == isa::Opcode::exit &&
         ends_path(program.code[block.first]);
}

// Rule `leave`. The graph has the blocks as nodes, and one more node for each edge into a bare exit, so that
// every branch to it exits on its own. One exit at a time, the one that most nodes lead to, becomes the end
// of all nodes that reach it; edges from them to nodes that do not (paths that only exit early) are dropped.
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
          (n >= flow.size() || !predecessors_[index(n)].empty() || n == 0))
        exits_.push_back(n);
    }
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

  std::vector<int> unassigned_ancestors(int node) const {
    std::vector<bool> seen(block_of_.size(), false);
    std::vector<int> found{node};
    seen[index(node)] = true;
    for (std::size_t n = 0; n < found.size(); ++n) {
      for (const int p : predecessors_[index(found[n])]) {
        if (seen[index(p)] || level_[index(p)] >= 0) continue;
        seen[index(p)] = true;
        found.push_back(p);
      }
    }
    return found;
  }

  bool assign_level() {
    int best = -1;
    std::vector<int> best_ancestors;
    for (const int e : exits_) {
      if (level_[index(e)] >= 0) continue;
      std::vector<int> ancestors = unassigned_ancestors(e);
      if (best >= 0 && ancestors.size() < best_ancestors.size()) continue;
      best = e;  // of equals the last in program order, where compilers put the normal return
      best_ancestors = std::move(ancestors);
    }
    if (best < 0) return false;
    for (const int n : best_ancestors) level_[index(n)] = static_cast<int>(ends_.size());
    ends_.push_back(best);
    return true;
  }

  std::vector<int> block_of_;
  std::vector<std::vector<int>> predecessors_;
  std::vector<int> level_;
  std::vector<int> exits_;
  std::vector<int> ends_;
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

namespace {

struct ReconvergenceParameters {
  std::string exits = "leave";
  void fields(FieldVisitor& v) {
    v.field(
        "exits", exits, {"end-of-all", "leave"},
        "what paths that exit mean for reconvergence: all meet at the end only, or lanes that exit leave the "
        "others alone");
  }
};

class Reconvergence : public ICompilerPass {
 public:
  Reconvergence(const ReconvergenceParameters& parameters, Context&)
      : rule_(parameters.exits == "leave" ? ExitRule::leave : ExitRule::end_of_all) {}

  PassStage stage() const override { return PassStage::after_allocation; }
  void run(CompilationUnit& unit) override {
    const ControlFlow& flow = unit.control_flow();
    set_reconvergence(unit.annotate(), flow, rule_);
    unit.reconvergence_changed();
  }

 private:
  ExitRule rule_;
};

const Registration<ICompilerPass, Reconvergence, ReconvergenceParameters> registered{
    "reconvergence",
    "sets the reconvergence point of every conditional branch: its immediate post-dominator"};

}  // namespace
}  // namespace heddle::compiler
