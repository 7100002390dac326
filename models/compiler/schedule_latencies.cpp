// Orders the instructions of each block by the latency table of the GPU, as the assembler of a real GPU does.
// This is necessary because nvcc puts each use of a loaded value directly after its load.
//
// A list scheduler fills each stretch (analyses/order_dependences.h) cycle by cycle. Of the instructions with
// ready operands, it takes the instruction with the longest path of latencies to the end of the stretch. While
// the number of live registers exceeds a limit, it takes the instruction that frees most registers.
//
// The pass lowers this limit step by step, and tries register allocation with each limit. A limit is low
// enough if as many warps fit on an SM as without the pass, and if no more registers are spilled. If no limit
// is low enough, the program keeps its order.

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "models/compiler/analyses/order_dependences.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

// Counts the register words that are live while a stretch (instructions that may be reordered) is
// scheduled.
class StretchPressure {
 public:
  StretchPressure(std::span<const Instruction> code, const LiveSets& live, std::size_t first)
      : words_(live.words_live_before(first)) {
    for (const Instruction& i : code) for_each_read_word(i, [this](std::uint32_t w) { ++reads_left_[w]; });
    const auto note = [&](std::uint32_t w) {
      is_live_[w] = live.word_before(first, w);
      stays_[w] = live.word_after(first + code.size() - 1, w);
    };
    for (const Instruction& i : code) {
      for_each_read_word(i, note);
      for_each_written_word(i, note);
    }
  }

  int words() const { return words_; }
  /// Returns the change of the number of live words if instruction i is scheduled next.
  int growth(const Instruction& i) const {
    int words = 0;
    std::vector<std::uint32_t> seen;
    for_each_read_word(i, [&](std::uint32_t w) {
      if (std::find(seen.begin(), seen.end(), w) != seen.end()) return;
      seen.push_back(w);
      words -= dies_after(i, w);
    });
    for_each_written_word(i, [&](std::uint32_t w) { words += !is_live_.at(w); });
    return words;
  }
  void schedule(const Instruction& i) {
    words_ += growth(i);
    for_each_read_word(i, [&](std::uint32_t w) {
      if (dies_after(i, w)) is_live_[w] = false;
    });
    for_each_read_word(i, [&](std::uint32_t w) { --reads_left_[w]; });
    for_each_written_word(i, [&](std::uint32_t w) { is_live_[w] = true; });
  }

 private:
  bool dies_after(const Instruction& i, std::uint32_t word) const {
    int own = 0;
    for_each_read_word(i, [&](std::uint32_t w) { own += w == word; });
    return is_live_.at(word) && !stays_.at(word) && reads_left_.at(word) == own;
  }

  int words_;
  std::map<std::uint32_t, int> reads_left_;
  std::map<std::uint32_t, bool> is_live_, stays_;
};

class ListScheduler {
 public:
  ListScheduler(std::span<const Instruction> code, const isa::LatencyTable& table)
      : code_(code), table_(table), dependences_(code), path_(code.size()), after_(code.size()) {
    for (std::size_t n = code.size(); n-- > 0;) {
      path_[n] += 1;
      for (const OrderDependences::Dependence& d : dependences_.of(n)) {
        after_[d.on].push_back(n);
        path_[d.on] = std::max(path_[d.on], path_[n] + latency(n, d));
      }
    }
  }

  std::vector<std::size_t> order(StretchPressure pressure, int limit) const {
    std::vector<std::size_t> out;
    std::vector<std::size_t> missing(code_.size());
    std::vector<int> earliest(code_.size());
    std::vector<std::size_t> ready;
    for (std::size_t n = 0; n < code_.size(); ++n) {
      missing[n] = dependences_.of(n).size();
      if (missing[n] == 0) ready.push_back(n);
    }
    for (int now = 0; !ready.empty(); ++now) {
      const auto chosen = std::min_element(ready.begin(), ready.end(), [&](std::size_t a, std::size_t b) {
        return comes_first(a, b, now, earliest, pressure, limit);
      });
      const std::size_t n = *chosen;
      ready.erase(chosen);
      now = std::max(now, earliest[n]);
      pressure.schedule(code_[n]);
      out.push_back(n);
      for (const std::size_t later : after_[n]) {
        for (const OrderDependences::Dependence& d : dependences_.of(later))
          if (d.on == n) earliest[later] = std::max(earliest[later], now + latency(later, d));
        if (--missing[later] == 0) ready.push_back(later);
      }
    }
    return out;
  }

 private:
  bool comes_first(std::size_t a, std::size_t b, int now, const std::vector<int>& earliest,
                   const StretchPressure& pressure, int limit) const {
    if (pressure.words() >= limit) {
      const int growth_a = pressure.growth(code_[a]), growth_b = pressure.growth(code_[b]);
      if (growth_a != growth_b) return growth_a < growth_b;
    }
    const int at_a = std::max(now, earliest[a]), at_b = std::max(now, earliest[b]);
    if (at_a != at_b) return at_a < at_b;
    if (path_[a] != path_[b]) return path_[a] > path_[b];
    return a < b;
  }

  int latency(std::size_t n, const OrderDependences::Dependence& d) const {
    if (!d.by_read) return 1;
    const Instruction& i = code_[n];
    const isa::Reader reader = d.by_guard                         ? isa::Reader::guard
                               : table_.is_variable(i)            ? isa::Reader::variable
                               : i.unit == isa::UnitClass::matrix ? isa::Reader::matrix
                               : i.unit == isa::UnitClass::int_   ? isa::Reader::int_
                                                                  : isa::Reader::fp;
    return table_.expected(code_[d.on], reader);
  }

  std::span<const Instruction> code_;
  const isa::LatencyTable& table_;
  OrderDependences dependences_;
  std::vector<int> path_;  ///< cycles from the issue of an instruction to the end of the stretch
  std::vector<std::vector<std::size_t>> after_;
};

class ScheduleLatencies : public ICompilerPass {
 public:
  ScheduleLatencies(const NoParameters&, Context& context) : context_(context) {
    if (!context_.latencies)
      throw Error("compiler.passes", "\"schedule-latencies\" has to know the latencies of a GPU",
                  "a run on a GPU, or heddle compile --gpu NAME");
  }
  PassStage stage() const override { return PassStage::before_allocation; }

  void run(CompilationUnit& unit) override {
    const Needs before = needs_of(unit.program());
    const int most = registers_for_the_same_warps(unit.program(), before);
    int limit = std::numeric_limits<int>::max();
    for (int tries = 0; tries < kTries; ++tries) {
      isa::Program scheduled = ordered(unit, limit);
      const Needs needs = needs_of(scheduled);
      if (needs.spills <= before.spills && static_cast<int>(needs.registers) <= most) {
        unit.edit() = std::move(scheduled);
        return;
      }
      limit = std::min(limit, most + kStep) - kStep;
    }
  }

 private:
  static constexpr int kTries = 6;
  static constexpr int kStep = 3;  ///< decrease of the limit on live register words from one try to the next

  struct Needs {
    std::uint32_t registers = 0;
    std::size_t spills = 0;  ///< instructions that register allocation has added
  };

  Needs needs_of(const isa::Program& program) const {
    CompilationUnit trial(program);
    Registry<ICompilerPass>::instance()
        .make(ConfigNode::make_string("allocate-registers"), context_)
        ->run(trial);
    const auto& code = trial.program().code;
    return {trial.program().registers,
            static_cast<std::size_t>(
                std::count_if(code.begin(), code.end(), [](const Instruction& i) { return i.overhead; }))};
  }

  // Returns the largest number of registers per thread with which an SM still holds as many warps as with
  // `needs.registers`, the number that the program needs. If the SM is unknown, returns `needs.registers`.
  int registers_for_the_same_warps(const isa::Program& program, const Needs& needs) const {
    if (!context_.resident_warps) return static_cast<int>(needs.registers);
    isa::Program asked = program;
    asked.architected = true;
    asked.registers = needs.registers;
    const int warps = context_.resident_warps(asked);
    while (static_cast<int>(asked.registers) < context_.max_registers) {
      ++asked.registers;
      if (context_.resident_warps(asked) >= warps) continue;
      --asked.registers;
      break;
    }
    return static_cast<int>(asked.registers);
  }

  isa::Program ordered(CompilationUnit& unit, int limit) const {
    std::vector<std::pair<std::size_t, std::size_t>> blocks;
    const ControlFlow& flow = unit.control_flow();
    for (int b = 0; b < flow.size(); ++b)
      if (flow.block(b).reachable) blocks.emplace_back(flow.block(b).first, flow.block(b).end);
    const LiveSets& live = unit.thread_liveness();
    isa::Program program = unit.program();
    reorder_stretches(program.code, blocks, [&](std::span<const Instruction> stretch, std::size_t first) {
      return ListScheduler(stretch, *context_.latencies).order(StretchPressure(stretch, live, first), limit);
    });
    return program;
  }

  PassContext context_;
};

const Registration<ICompilerPass, ScheduleLatencies> schedule_latencies_entry{
    "schedule-latencies",
    "orders each block by the latencies of the GPU; as many warps fit on an SM as without it",
    {.kinds = {"transformation"}, .before = {"allocation"}, .after = {"unroll-loops"}}};

}  // namespace
}  // namespace heddle::compiler
