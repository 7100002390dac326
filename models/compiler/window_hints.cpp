// Marks results that the warp reads only within its operand window. The window covers the warp's last
// instructions that take an operand collector; the parameter `instructions` is their number. Assumed: only
// results whose reads are all in the same basic block are marked, because a warp executes the instructions of a
// block one after another.
//
// A register leaves the window when `instructions` further instructions have issued since its last access (with
// `extends`) or since its last write (without `extends`). A guarded instruction counts as one of these
// instructions, but its accesses do not keep a register in the window, because the guard may disable all lanes.
// A hint on a 64-bit operand or on a group holds for all its words.

#include "models/compiler/window_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {

using isa::Instruction;
using isa::Operand;

bool counts_in_window(const Instruction& i) { return !i.metadata && i.unit != isa::UnitClass::control; }

namespace {

constexpr const char* kHint = "window-hint";
constexpr const char* kWindow = "window";

bool reads_word(const Instruction& i, std::uint32_t word) {
  bool reads = false;
  for_each_read_word(i, [&](std::uint32_t w) { reads = reads || w == word; });
  return reads;
}

bool writes_word(const Instruction& i, std::uint32_t word) {
  bool writes = false;
  for_each_written_word(i, [&](std::uint32_t w) { writes = writes || w == word; });
  return writes;
}

// Finds, at each instruction, the possible ages of the registers that hold a result with a window hint. The
// age of a register is the number of instructions since its last access (without `extends`: its last write).
// Bit n of `ages[w]`: register w may hold a hinted result of age n.
class WindowCheck {
 public:
  WindowCheck(const isa::Program& program, std::uint64_t instructions, bool extends)
      : program_(program),
        flow_(program),
        thread_(program, flow_),
        divergence_(program, flow_),
        live_(program, flow_, thread_, divergence_),
        warp_(program, flow_, divergence_),
        hints_(program.notes, kHint),
        window_(program.notes, kWindow),
        instructions_(instructions),
        extends_(extends) {}

  std::optional<WindowFault> run() {
    for (std::size_t n = 0; n < program_.code.size(); ++n)
      if (const auto fault = find_form_fault(n)) return fault;
    std::vector<Ages> in(static_cast<std::size_t>(warp_.size()), Ages(program_.registers));
    std::vector<bool> reached(in.size());
    std::vector<int> work{0};
    reached[0] = true;
    while (!work.empty()) {
      const int node = work.back();
      work.pop_back();
      Ages ages = in[static_cast<std::size_t>(node)];
      if (warp_.is_block(node)) walk(node, ages);
      for (const int to : warp_.successors(node)) {
        Ages& known = in[static_cast<std::size_t>(to)];
        bool changed = !reached[static_cast<std::size_t>(to)];
        for (std::size_t w = 0; w < ages.size(); ++w) {
          changed = changed || (ages[w] & ~known[w]);
          known[w] |= ages[w];
        }
        reached[static_cast<std::size_t>(to)] = true;
        if (changed) work.push_back(to);
      }
    }
    return fault_;
  }

 private:
  using Ages = std::vector<std::uint32_t>;

  std::optional<WindowFault> find_form_fault(std::size_t n) const {
    const Instruction& i = program_.code[n];
    if (!i.metadata && window_.in(i.notes).empty())
      return WindowFault{n, "is outside of the window's program"};
    for (const Operand& o : i.destinations())
      if (!hints_.in(o.notes).empty() && (!o.is_reg() || !counts_in_window(i)))
        return WindowFault{n, "has a hint on a result that does not enter the window"};
    return {};
  }

  void walk(int block, Ages& ages) {
    for (std::size_t n = flow_.block(block).first; n < flow_.block(block).end; ++n) {
      const Instruction& i = program_.code[n];
      if (i.metadata) continue;
      if (counts_in_window(i)) grow_older(n, ages);
      if (!i.guard.present && counts_in_window(i)) {
        if (extends_) for_each_read_word(i, [&](std::uint32_t w) { ages[w] = ages[w] ? 1 : 0; });
      }
      for (const Operand& o : i.destinations()) {
        const std::uint32_t fresh = hints_.in(o.notes).empty() ? 0 : 1;
        for_each_word(o, [&](std::uint32_t w) { ages[w] = fresh | (i.guard.present ? ages[w] : 0); });
      }
    }
    forget_dead(flow_.block(block).end - 1, ages);
  }

  // Deletes the ages of registers whose value no lane reads any more: such a value may leave the window.
  void forget_dead(std::size_t n, Ages& ages) const {
    for (std::uint32_t w = 0; w < ages.size(); ++w)
      if (ages[w] && !live_.word_after(n, w)) ages[w] = 0;
  }

  void grow_older(std::size_t n, Ages& ages) {
    const std::uint32_t leaves = std::uint32_t{1} << instructions_;
    for (std::uint32_t w = 0; w < ages.size(); ++w) {
      ages[w] <<= 1;
      if (!(ages[w] & leaves)) continue;
      ages[w] &= ~leaves;
      if (live_.word_before(n, w) && (!fault_ || n < fault_->instruction))
        fault_ =
            WindowFault{n, fmt::format("register {} has left the window, but a lane may still read it", w)};
    }
  }

  const isa::Program& program_;
  ControlFlow flow_;
  LiveSets thread_;
  Divergence divergence_;
  WarpLiveSets live_;
  WarpFlow warp_;
  isa::NotedWords hints_, window_;
  std::uint64_t instructions_;
  bool extends_;
  std::optional<WindowFault> fault_;
};

struct WindowHintParameters {
  int instructions = 3;
  bool extends = true;
  void fields(FieldVisitor& v) {
    v.field("instructions", instructions, {1, 16}, "instructions of a warp in the window");
    v.field("extends", extends, "an access keeps its register for another window; false: only a write does");
  }
};

class WindowHints : public ICompilerPass {
 public:
  WindowHints(const WindowHintParameters& parameters, Context&) : parameters_(parameters) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const ControlFlow& flow = unit.control_flow();
    const WarpLiveSets& live = unit.warp_liveness();
    isa::Program& program = unit.annotate();
    const std::vector<std::uint64_t> window = {static_cast<std::uint64_t>(parameters_.instructions),
                                               std::uint64_t{parameters_.extends}};
    for (std::size_t n = 0; n < program.code.size(); ++n) {
      Instruction& i = program.code[n];
      i.notes = program.notes.with(i.notes, {kWindow, window, true});
      if (!counts_in_window(i)) continue;
      const std::size_t end = flow.block(flow.block_of(n)).end;
      for (Operand& o : i.destinations()) {
        bool within = o.is_reg();
        for_each_word(o, [&](std::uint32_t w) { within = within && stays_within(program, live, n, end, w); });
        if (within) o.notes = program.notes.with(o.notes, {kHint, {1}});
      }
    }
  }

  void check(const isa::Program& program) const override {
    const auto fault = find_window_fault(program);
    if (!fault) return;
    throw Error(program.file,
                fmt::format("kernel {}, instruction {} \"{}\": {}", program.kernel, fault->instruction,
                            to_string(program.code[fault->instruction]), fault->what));
  }

 private:
  /// Returns true if the warp reads `word`, the result of instruction n, only within the window: the value
  /// becomes dead in all lanes before the register leaves the window, and before position `end`.
  bool stays_within(const isa::Program& program, const WarpLiveSets& live, std::size_t n, std::size_t end,
                    std::uint32_t word) const {
    int age = 0;
    for (std::size_t m = n; live.word_after(m, word);) {
      if (++m == end) return false;
      const Instruction& i = program.code[m];
      if (i.metadata) continue;
      if (counts_in_window(i) && ++age == parameters_.instructions) return false;
      const bool writes = writes_word(i, word);
      if (writes && live.dies_at(program, m, word)) return true;
      if (!i.guard.present && counts_in_window(i) && (writes || (parameters_.extends && reads_word(i, word))))
        age = 0;
    }
    return true;
  }

  WindowHintParameters parameters_;
};

const Registration<ICompilerPass, WindowHints, WindowHintParameters> window_hints_entry{
    "window-hints",
    "marks results that are read only while they are in an operand window",
    {.kinds = {"mark"}, .before = {"numbering", "flags"}}};

}  // namespace

std::optional<WindowFault> find_window_fault(const isa::Program& program) {
  const isa::NotedWords window(program.notes, kWindow);
  for (const Instruction& i : program.code) {
    const auto words = window.in(i.notes);
    if (words.size() == 2) return WindowCheck(program, words[0], words[1] != 0).run();
  }
  return {};
}

}  // namespace heddle::compiler
