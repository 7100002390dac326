// Sets the control bits of instructions. On a core without a scoreboard, only these bits make an instruction
// wait for the instructions on which it depends (Huerta 2025, section 4). The pass reads latencies from the
// GPU's latency table.
//
// 1. Instructions of variable latency get dependence counters (dependence_counters.h).
// 2. Wait masks and stalls are set by a data-flow iteration over the order in which the warp executes blocks.
//    The wait mask of an instruction contains the counters of outstanding results that the instruction reads or
//    writes. The wait mask also contains the counters of outstanding reads of registers that the instruction
//    writes. The stall of an instruction lasts until the next instruction may issue; at the end of a block,
//    until each possible next block may begin.
// 3. If a dependence needs more than a stall of 15 cycles, the pass also raises the stall of the previous
//    instruction, or inserts a nop.
// 4. Source operands get reuse bits (reuse_bits.h). The yield bit is set for barriers, and for stalls over 11
//    cycles, because hardware observes the full length of such a stall only with this bit.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/compiler/analyses/forward_flow.h"
#include "models/compiler/analyses/issue_hazards.h"
#include "models/compiler/dependence_counters.h"
#include "models/compiler/forced_bits.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/reuse_bits.h"
#include "models/compiler/rewrite.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

constexpr int kMostStall = isa::kLargestStall;
/// Largest stall, in cycles, that hardware observes in full length without the yield bit.
constexpr int kLargestPlainStall = 11;
constexpr std::size_t kNoInstruction = static_cast<std::size_t>(-1);

class Stalls {
 public:
  Stalls(isa::Program& program, const ControlFlow& flow, const WarpFlow& warp, const isa::LatencyTable& table)
      : program_(program), flow_(flow), warp_(warp), table_(table), nops_(program.code.size()) {
    for (const Instruction& i : program.code) least_.push_back(std::max<int>(1, i.control.stall));
    for (int b = 0; b < flow.size(); ++b) next_.push_back(find_next(b));
  }

  /// Sets wait masks and stalls. Stalls that the program already has are never reduced. Returns, for each
  /// instruction, true if a nop must be inserted before it.
  const std::vector<bool>& run() {
    for (Instruction& i : program_.code) i.control.wait_mask = 0;
    do {
      grown_ = false;
      solve_forward(warp_, IssueHazards(table_, program_.registers),
                    [this](int block, IssueHazards& state) { walk(block, state); });
    } while (grown_);
    for (std::size_t n = 0; n < least_.size(); ++n)
      program_.code[n].control.stall = static_cast<std::uint8_t>(least_[n]);
    return nops_;
  }

 private:
  // Returns the instructions that the warp may issue directly after block `b`.
  std::vector<std::size_t> find_next(int b) const {
    std::vector<std::size_t> found;
    std::vector<bool> seen(static_cast<std::size_t>(warp_.size()));
    std::vector<int> work{b};
    while (!work.empty()) {
      const int node = work.back();
      work.pop_back();
      for (const int s : warp_.successors(node)) {
        if (seen[static_cast<std::size_t>(s)]) continue;
        seen[static_cast<std::size_t>(s)] = true;
        const std::size_t first = warp_.is_block(s) ? first_issued(s) : kNoInstruction;
        if (first == kNoInstruction)
          work.push_back(s);
        else
          found.push_back(first);
      }
    }
    return found;
  }
  std::size_t first_issued(int b) const {
    for (std::size_t n = flow_.block(b).first; n < flow_.block(b).end; ++n)
      if (!program_.code[n].metadata) return n;
    return kNoInstruction;
  }

  void walk(int b, IssueHazards& state) {
    std::size_t before = kNoInstruction, last = kNoInstruction;
    IssueHazards without = state;  // the state without the effects of instruction `last`
    for (std::size_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) {
      if (program_.code[n].metadata) continue;
      if (last != kNoInstruction) {
        separate(state, without, before, last, n);
        state.advance(least_[last]);
      }
      wait(state, n);
      without = state;
      state.issue(program_.code[n]);
      before = last;
      last = n;
    }
    if (last == kNoInstruction) return;
    for (const std::size_t n : next_[static_cast<std::size_t>(b)]) separate(state, without, before, last, n);
    state.advance(least_[last]);
  }

  void wait(const IssueHazards& state, std::size_t n) {
    std::uint8_t& mask = program_.code[n].control.wait_mask;
    const auto more = static_cast<std::uint8_t>(mask | state.counters_before(program_.code[n]));
    grown_ = grown_ || more != mask;
    mask = more;
  }

  // Raises the stall of instruction `last` until instruction n, which follows it, may issue. `without`: the
  // state before `last` issued. If the largest stall is too short, also raises the stall of instruction
  // `before`, or requests a nop before n.
  void separate(const IssueHazards& state, const IssueHazards& without, std::size_t before, std::size_t last,
                std::size_t n) {
    const Instruction& i = program_.code[n];
    const auto mask = static_cast<std::uint8_t>(i.control.wait_mask | state.counters_before(i));
    const int cycles = state.cycles_before(i, mask);
    stall(last, std::min(cycles, kMostStall));
    if (cycles <= kMostStall) return;
    if (before != kNoInstruction && without.cycles_before(i, mask) == cycles && least_[before] < kMostStall)
      stall(before, std::min(least_[before] + cycles - kMostStall, kMostStall));
    else
      nops_[n] = true;
  }

  void stall(std::size_t n, int cycles) {
    if (cycles <= least_[n]) return;
    least_[n] = cycles;
    grown_ = true;
  }

  isa::Program& program_;
  const ControlFlow& flow_;
  const WarpFlow& warp_;
  const isa::LatencyTable& table_;
  /// for each block: first instructions that may issue after the block
  std::vector<std::vector<std::size_t>> next_;
  std::vector<int> least_;
  std::vector<bool> nops_;
  bool grown_ = false;
};

struct ControlBitsParameters {
  bool reuse = true;
  std::vector<std::string> force;
  void fields(FieldVisitor& v) {
    v.field("reuse", reuse, "set reuse bits of source operands");
    v.field("force", force,
            "bits set by hand, as INSTRUCTION.FIELD=VALUE: stall, yield, write, read (counter or none), wait "
            "(mask of counters), reuse.a to reuse.f (source operands). The program then counts as unproven");
  }
};

class ControlBitsPass : public ICompilerPass {
 public:
  ControlBitsPass(const ControlBitsParameters& parameters, Context& context)
      : parameters_(parameters), latencies_(context.latencies) {
    if (!latencies_)
      throw Error("compiler.passes", "\"control-bits\" has to know the latencies of a GPU",
                  "a run on a GPU, or heddle compile --gpu NAME");
  }
  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    for (Instruction& i : unit.annotate().code) i.control = {};
    assign_counters(unit.annotate(), unit.control_flow(), warp_flow(unit), *latencies_);
    while (set_stalls(unit)) {
    }
    isa::Program& program = unit.annotate();
    for (Instruction& i : program.code) {
      i.control.set = !i.metadata;
      i.control.yield = i.control.stall > kLargestPlainStall || i.op == isa::Opcode::bar;
    }
    if (parameters_.reuse) set_reuse_bits(program, unit.control_flow(), *latencies_);
    program.latencies = latencies_;
    for (const std::string& text : parameters_.force) force_bits(program, text);
  }

 private:
  static WarpFlow warp_flow(CompilationUnit& unit) {
    return {unit.program(), unit.control_flow(), unit.divergence()};
  }

  // Sets stalls and inserts nops where stalls are too short. Returns true if it inserted nops; the stalls
  // must then be set again.
  bool set_stalls(CompilationUnit& unit) const {
    const WarpFlow warp = warp_flow(unit);
    Stalls stalls(unit.annotate(), unit.control_flow(), warp, *latencies_);
    const std::vector<bool>& nops = stalls.run();
    if (std::find(nops.begin(), nops.end(), true) == nops.end()) return false;
    const std::vector<bool> missing = nops;
    rewrite(unit.edit(), [&](std::size_t n, const Instruction& i, Replacement& out) {
      if (missing[n]) out.emit(make_overhead(i, isa::Opcode::nop, isa::DataType::none));
      out.emit(i);
    });
    return true;
  }

  ControlBitsParameters parameters_;
  std::shared_ptr<const isa::LatencyTable> latencies_;
};

const Registration<ICompilerPass, ControlBitsPass, ControlBitsParameters> control_bits_entry{
    "control-bits",
    "sets stalls, dependence counters and reuse bits for a core without a scoreboard",
    {.kinds = {"control"},
     .after = {"numbering", "mark", "value-levels", "flags", "register-hint", "swap-operands"}}};

}  // namespace
}  // namespace heddle::compiler
