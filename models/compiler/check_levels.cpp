#include "models/compiler/check_levels.h"

#include <fmt/format.h>

#include <array>

#include "models/compiler/analyses/access_energy.h"
#include "models/compiler/analyses/long_latency.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/compiler/strand_beginnings.h"
#include "models/core/error.h"
#include "models/isa/operand_entry.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Operand;

constexpr std::size_t kEntries = 256 + 3;
constexpr std::uint16_t kNothing = 0xffff;

struct State {
  std::array<std::uint16_t, kEntries> holds;
  std::vector<bool> stale;

  explicit State(std::size_t words) : stale(words, false) { holds.fill(kNothing); }
  void lose_entries() { holds.fill(kNothing); }
  // Keeps only the facts that also hold in `other`, the state of another path. A fact is the value that an
  // entry of a register level holds. Returns true if this state changed.
  bool meet(const State& other) {
    bool changed = false;
    for (std::size_t e = 0; e < kEntries; ++e) {
      if (holds[e] == kNothing || holds[e] == other.holds[e]) continue;
      holds[e] = kNothing;
      changed = true;
    }
    for (std::size_t w = 0; w < stale.size(); ++w) {
      if (stale[w] || !other.stale[w]) continue;
      stale[w] = changed = true;
    }
    return changed;
  }
};

std::size_t entry_of(const Operand& o, int level, int word) {
  return level == isa::kLastResultLevel ? 256u + o.annotation.slot : isa::operand_entry(o.annotation, word);
}

int upper_of(std::uint8_t levels) {
  if (levels & isa::level_bit(isa::kOperandLevel)) return isa::kOperandLevel;
  if (levels & isa::level_bit(isa::kLastResultLevel)) return isa::kLastResultLevel;
  return isa::kMainLevel;
}

class Checker {
 public:
  Checker(const isa::Program& program, const ControlFlow& flow, const Divergence& divergence, bool shared)
      : program_(program), flow_(flow), warp_(program, flow, divergence), shared_(shared) {}

  std::optional<LevelFault> run() {
    for (std::size_t n = 0; n < program_.code.size(); ++n)
      if (!program_.code[n].metadata) check_form(n);
    if (fault_) return fault_;
    const std::vector<bool> lost = find_lost_entries(program_, flow_, warp_);
    std::vector<std::optional<State>> in(static_cast<std::size_t>(flow_.size()));
    in[0] = State(program_.registers);
    for (bool changed = true; changed;) {
      changed = false;
      for (const int b : flow_.order()) {
        State state = *in[static_cast<std::size_t>(b)];
        walk(b, state, false);
        for (const int s : flow_.block(b).successors) {
          State entering = state;
          if (lost[static_cast<std::size_t>(s)]) entering.lose_entries();
          auto& known = in[static_cast<std::size_t>(s)];
          if (known) {
            changed = known->meet(entering) || changed;
          } else {
            known = std::move(entering);
            changed = true;
          }
        }
      }
    }
    for (const int b : flow_.order()) {
      State state = *in[static_cast<std::size_t>(b)];
      walk(b, state, true);
    }
    return fault_;
  }

 private:
  void fail(std::size_t n, std::string what) {
    if (!fault_ || n < fault_->instruction) fault_ = LevelFault{n, std::move(what)};
  }

  void check_form(std::size_t n) {
    const Instruction& i = program_.code[n];
    for (const Operand& o : i.sources()) {
      const auto& a = o.annotation;
      const int filled = upper_of(a.write_levels);
      if (a.read_level == isa::kMainLevel && a.write_levels == 0) continue;
      if (a.read_level > isa::kLastResultLevel) fail(n, fmt::format("a source of level {}", a.read_level));
      if (!o.is_reg()) fail(n, "a source that is no register names a level");
      if (a.read_level != isa::kMainLevel && a.write_levels != 0) fail(n, "a fill from an upper level");
      if (a.write_levels != 0 && filled == isa::kMainLevel) fail(n, "a fill of main");
      if (a.write_levels != 0 && a.write_levels != isa::level_bit(static_cast<std::uint8_t>(filled)))
        fail(n, "a fill of more than one level");
      if (a.write_levels != 0 && i.guard.present) fail(n, "a guarded fill");
      check_place(n, o, a.write_levels != 0 ? filled : a.read_level);
    }
    for (const Operand& o : i.destinations()) {
      const auto& a = o.annotation;
      const int upper = upper_of(a.write_levels);
      if (upper == isa::kMainLevel) continue;
      const std::uint8_t allowed = static_cast<std::uint8_t>(
          isa::level_bit(static_cast<std::uint8_t>(upper)) | isa::level_bit(isa::kMainLevel));
      if (!o.is_reg()) fail(n, "a destination that is no register names a level");
      if ((a.write_levels & ~allowed) != 0) fail(n, "a result in two upper levels");
      if (is_long_latency(i)) fail(n, "a long-latency result above main");
      check_place(n, o, upper);
    }
  }

  void check_place(std::size_t n, const Operand& o, int level) {
    const Instruction& i = program_.code[n];
    if (i.unit == isa::UnitClass::control) fail(n, "a control instruction names an upper level");
    if (level == isa::kOperandLevel && isa::end_of_entries(o) > 256) fail(n, "an entry beyond 255");
    if (level != isa::kLastResultLevel) return;
    if (o.words() != 1) fail(n, "a pair in the last-result level");
    if (o.annotation.slot > 2) fail(n, fmt::format("last-result slot {}", o.annotation.slot));
    if (!shared_ && is_shared_unit(i)) fail(n, "a shared unit names the last-result level");
  }

  void walk(int b, State& state, bool report) {
    for (std::uint32_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) {
      const Instruction& i = program_.code[n];
      if (i.begins_strand) state.lose_entries();
      if (!i.metadata) {
        read(n, state, report);
        write(i, state);
      }
      if (i.ends_strand) state.lose_entries();
    }
  }

  void read(std::size_t n, State& state, bool report) {
    const Instruction& i = program_.code[n];
    for (const Operand& o : i.sources()) {
      const int level = o.annotation.read_level;
      for (int k = 0; k < o.words() && report; ++k) {
        const std::uint32_t word = o.reg.value + static_cast<std::uint32_t>(k);
        if (level == isa::kMainLevel && state.stale[word])
          fail(n, fmt::format("reads register {} from main, which lacks its current value", word));
        if (level != isa::kMainLevel && state.holds[entry_of(o, level, k)] != word)
          fail(n, fmt::format("reads register {} from {} {}, which need not hold it", word,
                              level == isa::kLastResultLevel ? "last-result slot" : "entry",
                              level == isa::kLastResultLevel ? o.annotation.slot
                                                             : isa::operand_entry(o.annotation, k)));
      }
    }
    for (const Operand& o : i.sources()) {
      if (o.annotation.write_levels == 0) continue;
      for (int k = 0; k < o.words(); ++k) fill(n, state, o, k, report);
    }
  }

  void fill(std::size_t n, State& state, const Operand& o, int k, bool report) {
    const Instruction& i = program_.code[n];
    const std::size_t entry = entry_of(o, upper_of(o.annotation.write_levels), k);
    const auto names = [&](const Operand& other, int level) {
      for (int w = 0; level != isa::kMainLevel && w < other.words(); ++w)
        if (entry_of(other, level, w) == entry) return true;
      return false;
    };
    for (const Operand& other : i.sources())
      if (report && (names(other, other.annotation.read_level) ||
                     (&other != &o && names(other, upper_of(other.annotation.write_levels)))))
        fail(n, fmt::format("entry {} is filled by an instruction that uses it", entry));
    for (const Operand& other : i.destinations())
      if (report && names(other, upper_of(other.annotation.write_levels)))
        fail(n, fmt::format("entry {} is filled and written by one instruction", entry));
    state.holds[entry] = static_cast<std::uint16_t>(o.reg.value + static_cast<std::uint32_t>(k));
  }

  // Updates the state after an instruction's writes. A guarded write changes only some lanes. After it, a
  // level holds the register's current value in all lanes only if the level held the old value before.
  static void write(const Instruction& i, State& state) {
    for (const Operand& o : i.destinations()) {
      const std::uint8_t levels = o.annotation.write_levels;
      const int upper = upper_of(levels);
      const bool main = levels == 0 || (levels & isa::level_bit(isa::kMainLevel)) != 0;
      for (int k = 0; k < o.words(); ++k) {
        const auto word = static_cast<std::uint16_t>(o.reg.value + static_cast<std::uint32_t>(k));
        const std::size_t entry = upper == isa::kMainLevel ? kEntries : entry_of(o, upper, k);
        const bool held = entry < kEntries && state.holds[entry] == word;
        for (std::uint16_t& h : state.holds)
          if (h == word) h = kNothing;
        if (entry < kEntries) state.holds[entry] = !i.guard.present || held ? word : kNothing;
        state.stale[word] = !main || (i.guard.present && state.stale[word]);
      }
    }
  }

  const isa::Program& program_;
  const ControlFlow& flow_;
  WarpFlow warp_;
  bool shared_;
  std::optional<LevelFault> fault_;
};

}  // namespace

std::optional<LevelFault> find_level_fault(const isa::Program& program, const ControlFlow& flow,
                                           const Divergence& divergence, bool last_result_shared) {
  return Checker(program, flow, divergence, last_result_shared).run();
}

bool uses_levels(const isa::Program& program) {
  for (const Instruction& i : program.code) {
    for (const Operand& o : i.sources())
      if (o.annotation.read_level != isa::kMainLevel || o.annotation.write_levels != 0) return true;
    for (const Operand& o : i.destinations())
      if (o.annotation.write_levels != 0) return true;
  }
  return false;
}

void check_levels(const isa::Program& program, bool last_result_shared) {
  const ControlFlow flow(program);
  const auto fault = find_level_fault(program, flow, Divergence(program, flow), last_result_shared);
  if (!fault) return;
  const auto& l = program.code[fault->instruction].location;
  throw Error(fmt::format("{}:{}:{}", program.file, l.ptx_line, l.ptx_column),
              fmt::format("kernel {}, instruction {} \"{}\": {}", program.kernel, fault->instruction,
                          to_string(program.code[fault->instruction]), fault->what));
}

}  // namespace heddle::compiler
