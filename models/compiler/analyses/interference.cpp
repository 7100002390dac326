#include "models/compiler/analyses/interference.h"

#include <algorithm>
#include <cmath>

#include "models/compiler/analyses/sparse_set.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/analyses/variable_access.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Operand;

class Builder {
 public:
  Builder(const isa::Program& program, const ControlFlow& flow, const Variables& variables, RegisterClass cls,
          const std::vector<bool>& fresh)
      : program_(program), flow_(flow), variables_(variables), cls_(cls), access_(variables, cls, fresh) {
    const auto n = static_cast<std::size_t>(variables.count());
    graph_.neighbours.resize(n);
    graph_.copies.resize(n);
    graph_.cost.assign(n, 0);
    graph_.brief.assign(n, false);
    last_read_.assign(n, -1);
    accesses_.assign(n, 0);
    live_ = SparseSet(access_.parts());
  }

  InterferenceGraph build() {
    const BlockLiveness flow = variable_liveness(program_, flow_, access_);
    for (const int b : flow_.order()) walk(b, flow);
    for (auto& list : graph_.neighbours) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return std::move(graph_);
  }

 private:
  void begin_block(int b, const BlockLiveness& flow) {
    live_.clear();
    flow.out(b).for_each([&](std::size_t bit) { live_.insert(flow.member_of(bit)); });
  }

  void walk(int b, const BlockLiveness& flow) {
    begin_block(b, flow);
    const double weight = std::pow(10.0, std::min(flow_.block(b).loop_depth, 8));
    for (std::uint32_t n = flow_.block(b).end; n-- > flow_.block(b).first;) {
      const Instruction& i = program_.code[n];
      const int copied = copy_source(i);
      for (const Operand& o : i.destinations()) {
        if (!access_.mine(o)) continue;
        const int d = access_.variable(o);
        for (const std::uint32_t part : live_.members()) connect(d, access_.variable_of(part), copied);
        for (const Operand& other : i.destinations())
          if (access_.mine(other)) connect(d, access_.variable(other), copied);
        count_write(d, n, weight);
      }
      if (copied >= 0) add_copy(access_.variable(i.dst[0]), copied, weight);
      for (const Operand& o : i.destinations())
        if (access_.mine(o) && access_.kills(i, o))
          access_.for_each_part(o, [this](int part) { live_.erase(static_cast<std::size_t>(part)); });
      access_.for_each_read(i, [&](int part) {
        live_.insert(static_cast<std::size_t>(part));
        const int v = access_.variable_of(static_cast<std::size_t>(part));
        count(v, weight);
        last_read_[static_cast<std::size_t>(v)] = static_cast<std::int64_t>(n);
      });
    }
  }

  // Returns the source variable of a copy, or -1. Source and destination of a copy hold the same value, so
  // the copy alone does not make them interfere.
  int copy_source(const Instruction& i) const {
    if (i.op != isa::Opcode::mov || i.num_src != 1 || i.num_dst != 1) return -1;
    if (!access_.mine(i.src[0]) || !access_.mine(i.dst[0]) || i.src[0].negated) return -1;
    if (i.src[0].words() != i.dst[0].words()) return -1;
    const int s = access_.variable(i.src[0]), d = access_.variable(i.dst[0]);
    const auto whole = [&](const Operand& o, int v) {
      return cls_ == RegisterClass::predicate || o.words() == variables_.size[static_cast<std::size_t>(v)];
    };
    return s != d && whole(i.src[0], s) && whole(i.dst[0], d) ? s : -1;
  }

  void connect(int a, int b, int except) {
    if (a == b || b == except) return;
    graph_.neighbours[static_cast<std::size_t>(a)].push_back(b);
    graph_.neighbours[static_cast<std::size_t>(b)].push_back(a);
  }
  void add_copy(int a, int b, double weight) {
    graph_.copies[static_cast<std::size_t>(a)].push_back({b, weight});
    graph_.copies[static_cast<std::size_t>(b)].push_back({a, weight});
  }
  void count(int v, double weight) {
    graph_.cost[static_cast<std::size_t>(v)] += weight;
    ++accesses_[static_cast<std::size_t>(v)];
  }
  void count_write(int v, std::uint32_t n, double weight) {
    count(v, weight);
    const auto x = static_cast<std::size_t>(v);
    graph_.brief[x] = accesses_[x] == 2 && last_read_[x] == static_cast<std::int64_t>(n) + 1;
  }

  const isa::Program& program_;
  const ControlFlow& flow_;
  const Variables& variables_;
  RegisterClass cls_;
  VariableAccess access_;
  InterferenceGraph graph_;
  std::vector<std::int64_t> last_read_;
  std::vector<int> accesses_;
  SparseSet live_;
};

}  // namespace

InterferenceGraph build_interference(const isa::Program& program, const ControlFlow& flow,
                                     const Variables& variables, RegisterClass cls,
                                     const std::vector<bool>& fresh) {
  return Builder(program, flow, variables, cls, fresh).build();
}

}  // namespace heddle::compiler
