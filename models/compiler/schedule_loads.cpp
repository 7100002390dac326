// Reorders the instructions of a block so that long-latency loads are grouped, because each wait for a load
// ends a strand.
//
// The pass reorders each stretch (a part of a block without control instructions, barriers and fences)
// separately:
// 1. The level of an instruction is the least number of waits for long-latency results before it can execute.
// 2. Instructions without a memory access move to the level of the first use of their result, so that no
//    register holds the result across a wait.
// 3. The instructions are written level by level. Within a level, long-latency loads and the instructions
//    that they need come first.
//
// Dependences keep their order (analyses/order_dependences.h).

#include <algorithm>
#include <span>
#include <vector>

#include "models/compiler/analyses/long_latency.h"
#include "models/compiler/analyses/order_dependences.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

class LoadStretch {
 public:
  explicit LoadStretch(std::span<const Instruction> code)
      : code_(code), dependences_(code), level_(code.size(), 0) {}

  std::vector<std::size_t> order() {
    const int last = set_levels();
    std::vector<std::size_t> out;
    for (int level = 0; level <= last; ++level) {
      const std::vector<bool> first = needed_by_loads(level);
      for (const bool turn : {true, false})
        for (std::size_t n = 0; n < code_.size(); ++n)
          if (level_[n] == level && first[n] == turn) out.push_back(n);
    }
    return out;
  }

 private:
  using Dependence = OrderDependences::Dependence;
  bool waits(const Dependence& d) const { return d.on_result && is_long_latency(code_[d.on]); }

  int set_levels() {
    for (std::size_t n = 0; n < code_.size(); ++n)
      for (const Dependence& d : dependences_.of(n))
        level_[n] = std::max(level_[n], level_[d.on] + (waits(d) ? 1 : 0));
    const int last = code_.empty() ? 0 : *std::max_element(level_.begin(), level_.end());
    std::vector<int> first_user(code_.size(), last);
    for (std::size_t n = code_.size(); n-- > 0;) {
      if (code_[n].unit != isa::UnitClass::ldst) level_[n] = std::max(level_[n], first_user[n]);
      for (const Dependence& d : dependences_.of(n)) first_user[d.on] = std::min(first_user[d.on], level_[n]);
    }
    return last;
  }

  std::vector<bool> needed_by_loads(int level) const {
    std::vector<bool> needed(code_.size(), false);
    for (std::size_t n = code_.size(); n-- > 0;) {
      if (level_[n] != level) continue;
      needed[n] = needed[n] || is_long_latency(code_[n]);
      for (const Dependence& d : dependences_.of(n))
        if (needed[n] && level_[d.on] == level) needed[d.on] = true;
    }
    return needed;
  }

  std::span<const Instruction> code_;
  OrderDependences dependences_;
  std::vector<int> level_;
};

class ScheduleLoads : public ICompilerPass {
 public:
  ScheduleLoads(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::before_allocation; }

  void run(CompilationUnit& unit) override {
    std::vector<std::pair<std::size_t, std::size_t>> blocks;
    const ControlFlow& flow = unit.control_flow();
    for (int b = 0; b < flow.size(); ++b) blocks.emplace_back(flow.block(b).first, flow.block(b).end);
    reorder_stretches(unit.edit().code, blocks, [](std::span<const Instruction> stretch, std::size_t) {
      return LoadStretch(stretch).order();
    });
  }
};

const Registration<ICompilerPass, ScheduleLoads> schedule_loads_entry{
    "schedule-loads",
    "groups long-latency loads, followed by the instructions that need them",
    {.kinds = {"transformation"}, .before = {"allocation"}}};

}  // namespace
}  // namespace heddle::compiler
