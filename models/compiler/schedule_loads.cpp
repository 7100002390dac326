// Reorders the instructions of a block so that long-latency loads are grouped, because each wait for a load
// ends a strand.
//
// A stretch is a part of a block without control instructions, barriers and fences. In each stretch:
// 1. The level of an instruction is the least number of waits for long-latency results before it can execute.
// 2. Instructions without a memory access move to the level of the first use of their result, so that no
//    register holds the result across a wait.
// 3. The instructions are written level by level. Within a level, long-latency loads and the instructions
//    that they need come first.
//
// Reads and writes of one register or predicate keep their order. Two accesses to one state space keep their
// order if one of them writes. Atomics, non-weak accesses (PTX memory model), cross-lane operations and reads
// of clocks end a stretch.

#include <algorithm>
#include <map>
#include <vector>

#include "models/compiler/analyses/long_latency.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

bool reads_a_clock(const Instruction& i) {
  return std::any_of(i.sources().begin(), i.sources().end(), [](const Operand& o) {
    return o.kind == Operand::Kind::special && o.special >= isa::SpecialRegister::clock &&
           o.special <= isa::SpecialRegister::globaltimer_hi;
  });
}

bool stays(const Instruction& i) {
  switch (i.op) {
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::redux:
    case Opcode::movmatrix:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::membar:
    case Opcode::copy:
      return true;
    default:
      return i.unit == isa::UnitClass::control || i.metadata || i.memory.ordering != isa::Ordering::weak ||
             reads_a_clock(i);
  }
}

class Stretch {
 public:
  explicit Stretch(std::vector<Instruction> code)
      : code_(std::move(code)), before_(code_.size()), level_(code_.size(), 0) {
    for (std::size_t n = 0; n < code_.size(); ++n) add_dependences(n);
  }

  std::vector<Instruction> ordered() {
    const int last = set_levels();
    std::vector<Instruction> out;
    for (int level = 0; level <= last; ++level) {
      const std::vector<bool> first = needed_by_loads(level);
      for (const bool turn : {true, false})
        for (std::size_t n = 0; n < code_.size(); ++n)
          if (level_[n] == level && first[n] == turn) out.push_back(code_[n]);
    }
    return out;
  }

 private:
  struct Dependence {
    std::size_t on;
    bool waits;
  };

  void depend(std::size_t n, std::size_t on, bool on_result) {
    before_[n].push_back({on, on_result && is_long_latency(code_[on])});
  }

  using Name = std::pair<int, std::uint32_t>;
  void add_dependences(std::size_t n) {
    const Instruction& i = code_[n];
    const auto read = [&](Name name) {
      if (const auto w = writer_.find(name); w != writer_.end()) depend(n, w->second, true);
      readers_[name].push_back(n);
    };
    const auto write = [&](Name name) {
      if (const auto w = writer_.find(name); w != writer_.end()) depend(n, w->second, true);
      for (const std::size_t reader : readers_[name])
        if (reader != n) depend(n, reader, false);
      readers_[name].clear();
      writer_[name] = n;
    };
    for_each_read_word(i, [&](std::uint32_t word) { read({0, word}); });
    for_each_read_predicate(i, [&](std::uint32_t predicate) { read({1, predicate}); });
    if (!writes_all_active_lanes(i)) {
      for_each_written_word(i, [&](std::uint32_t word) { read({0, word}); });
      for_each_written_predicate(i, [&](std::uint32_t predicate) { read({1, predicate}); });
    }
    for_each_written_word(i, [&](std::uint32_t word) { write({0, word}); });
    for_each_written_predicate(i, [&](std::uint32_t predicate) { write({1, predicate}); });
    if (i.unit != isa::UnitClass::ldst) return;
    for (const std::size_t other : memory_)
      if (may_meet(i, code_[other])) depend(n, other, false);
    memory_.push_back(n);
  }

  static bool may_meet(const Instruction& a, const Instruction& b) {
    if (a.op != Opcode::st && b.op != Opcode::st) return false;
    const isa::Space generic = isa::Space::generic;
    return a.memory.space == b.memory.space || a.memory.space == generic || b.memory.space == generic;
  }

  int set_levels() {
    for (std::size_t n = 0; n < code_.size(); ++n)
      for (const Dependence& d : before_[n])
        level_[n] = std::max(level_[n], level_[d.on] + (d.waits ? 1 : 0));
    const int last = code_.empty() ? 0 : *std::max_element(level_.begin(), level_.end());
    std::vector<int> first_user(code_.size(), last);
    for (std::size_t n = code_.size(); n-- > 0;) {
      if (code_[n].unit != isa::UnitClass::ldst) level_[n] = std::max(level_[n], first_user[n]);
      for (const Dependence& d : before_[n]) first_user[d.on] = std::min(first_user[d.on], level_[n]);
    }
    return last;
  }

  std::vector<bool> needed_by_loads(int level) const {
    std::vector<bool> needed(code_.size(), false);
    for (std::size_t n = code_.size(); n-- > 0;) {
      if (level_[n] != level) continue;
      needed[n] = needed[n] || is_long_latency(code_[n]);
      for (const Dependence& d : before_[n])
        if (needed[n] && level_[d.on] == level) needed[d.on] = true;
    }
    return needed;
  }

  std::vector<Instruction> code_;
  std::vector<std::vector<Dependence>> before_;
  std::vector<int> level_;
  std::map<Name, std::size_t> writer_;
  std::map<Name, std::vector<std::size_t>> readers_;
  std::vector<std::size_t> memory_;
};

class ScheduleLoads : public ICompilerPass {
 public:
  ScheduleLoads(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::before_allocation; }

  void run(CompilationUnit& unit) override {
    std::vector<std::pair<std::size_t, std::size_t>> blocks;
    const ControlFlow& flow = unit.control_flow();
    for (int b = 0; b < flow.size(); ++b) blocks.emplace_back(flow.block(b).first, flow.block(b).end);
    std::vector<Instruction>& code = unit.edit().code;
    for (const auto& [first, end] : blocks)
      for (std::size_t from = first; from < end; ++from) {
        std::size_t to = from;
        while (to < end && !stays(code[to])) ++to;
        const auto begin = code.begin() + static_cast<std::ptrdiff_t>(from);
        if (to > from + 1) {
          const std::vector<Instruction> ordered =
              Stretch({begin, code.begin() + static_cast<std::ptrdiff_t>(to)}).ordered();
          std::copy(ordered.begin(), ordered.end(), begin);
        }
        from = to;
      }
  }
};

const Registration<ICompilerPass, ScheduleLoads> schedule_loads_entry{
    "schedule-loads",
    "groups long-latency loads, followed by the instructions that need them",
    {.kinds = {"transformation"}, .before = {"allocation"}}};

}  // namespace
}  // namespace heddle::compiler
