// Inserts metadata instructions that release registers (Jeon 2015, 6). A pir instruction holds flags for up to
// 18 instructions; a flag releases a source register after its last read. A pbr instruction stands at a
// reconvergence point or after a loop, and lists registers to release. A register that an instruction both
// reads and writes gets no flag. This pass must be the last pass.

#include <string>
#include <vector>

#include "models/compiler/analyses/split_regions.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/rewrite.h"
#include "models/isa/release_flags.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Operand;
using isa::Program;

struct ReleaseFlagParameters {
  std::string divergence = "reconvergence";
  bool empty_pir = true;
  void fields(FieldVisitor& v) {
    v.field("divergence", divergence, {"reconvergence", "exact"},
            "registers released where a branch may split the warp: before the sides meet, none that is live "
            "at the start of a side (Jeon 2015, 6.1), or all that no lane of the warp reads any more");
    v.field("empty_pir", empty_pir,
            "also write a pir in which no flag is set (Jeon 2015, 6.2: one in every block)");
  }
};

// Registers that each instruction releases, and registers that are released at the start of each block.
struct Releases {
  std::vector<std::uint64_t> flags;
  std::vector<std::vector<std::uint32_t>> lists;
};

class Planner {
 public:
  Planner(CompilationUnit& unit, bool until_they_meet)
      : program_(unit.program()),
        flow_(unit.control_flow()),
        thread_(unit.thread_liveness()),
        live_(unit.warp_liveness()),
        divergence_(unit.divergence()),
        warp_(program_, flow_, divergence_),
        kept_(blocks(), BitSet(program_.registers)) {
    if (until_they_meet) keep_what_sides_start_with();
  }

  Releases run() {
    Releases plan;
    for (std::size_t n = 0; n < program_.code.size(); ++n) plan.flags.push_back(flags_of(n));
    plan.lists = lists(plan.flags);
    return plan;
  }

 private:
  std::size_t blocks() const { return static_cast<std::size_t>(flow_.size()); }

  void keep_what_sides_start_with() {
    std::vector<BitSet> brought(kept_.size() * SplitRegions::kRemembered);
    SplitRegions regions(program_, flow_);
    for (const int b : regions.outer_first()) {
      if (!divergence_.splits(b)) continue;
      const int meet = next_meeting(program_, flow_, b);
      BitSet words(program_.registers);
      for (const int side : flow_.block(b).successors) {
        if (side == meet) continue;
        for (std::uint32_t w = 0; w < program_.registers; ++w)
          if (thread_.word_before(flow_.block(side).first, w)) words.set(w);
      }
      for (const int side : flow_.block(b).successors) regions.merge(b, side, meet, words, kept_, brought);
    }
  }

  std::uint64_t flags_of(std::size_t n) const {
    const Instruction& i = program_.code[n];
    if (i.metadata) return 0;
    std::uint64_t flags = 0;
    int source = 0;
    for (std::size_t s = 0; s < i.num_src; ++s) {
      if (!i.src[s].is_reg()) continue;
      if (released_at(n, s)) flags |= isa::release_bit(source);
      ++source;
    }
    return flags;
  }

  // Returns true if instruction n releases its source operand `slot`, because no later operand or instruction
  // reads the register.
  bool released_at(std::size_t n, std::size_t slot) const {
    const Instruction& i = program_.code[n];
    const Operand& o = i.src[slot];
    for (std::size_t later = slot + 1; later < i.num_src; ++later)
      if (shares_a_word(o, i.src[later])) return false;
    for (const Operand& d : i.destinations())
      if (shares_a_word(o, d)) return false;
    const BitSet& kept = kept_[static_cast<std::size_t>(flow_.block_of(n))];
    bool dies = true;
    for_each_word(o, [&](std::uint32_t w) {
      dies = dies && w >= program_.exempt_registers && !kept.test(w) && live_.dies_at(program_, n, w);
    });
    return dies;
  }

  // Returns, for each block, the registers that a pbr instruction at the start of the block releases:
  // registers that may still hold a physical register although no lane reads their value any more.
  std::vector<std::vector<std::uint32_t>> lists(const std::vector<std::uint64_t>& flags) const {
    const std::vector<bool> may_list = places();
    std::vector<BitSet> in(static_cast<std::size_t>(warp_.size()), BitSet(program_.registers));
    std::vector<std::vector<std::uint32_t>> result(blocks());
    for (bool changed = true; changed;) {
      changed = false;
      for (const int b : warp_.order()) {
        const auto at = static_cast<std::size_t>(b);
        BitSet mapped = in[at];
        if (warp_.is_block(b) && may_list[at]) {
          result[at].clear();
          in[at].for_each([&](std::size_t w) {
            if (live_.word_before(flow_.block(b).first, static_cast<std::uint32_t>(w))) return;
            result[at].push_back(static_cast<std::uint32_t>(w));
            mapped.reset(w);
          });
        }
        if (warp_.is_block(b)) step(b, flags, mapped);
        for (const int s : warp_.successors(b))
          changed = in[static_cast<std::size_t>(s)].merge(mapped) || changed;
      }
    }
    return result;
  }

  void step(int b, const std::vector<std::uint64_t>& flags, BitSet& mapped) const {
    for (std::uint32_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) {
      const Instruction& i = program_.code[n];
      isa::for_each_released_word(i, flags[n], [&](std::uint32_t w) { mapped.reset(w); });
      for_each_written_word(i, [&](std::uint32_t w) {
        if (w >= program_.exempt_registers) mapped.set(w);
      });
    }
  }

  std::vector<bool> places() const {
    std::vector<bool> result(blocks(), false);
    for (const Instruction& i : program_.code)
      if (i.is_branch() && i.reconvergence != isa::kNoTarget)
        result[static_cast<std::size_t>(flow_.block_of(static_cast<std::size_t>(i.reconvergence)))] = true;
    for (const int b : flow_.order())
      for (const int s : flow_.block(b).successors)
        if (flow_.block(s).loop_depth < flow_.block(b).loop_depth) result[static_cast<std::size_t>(s)] = true;
    return result;
  }

  const Program& program_;
  const ControlFlow& flow_;
  const LiveSets& thread_;
  const WarpLiveSets& live_;
  const Divergence& divergence_;
  const WarpFlow warp_;
  std::vector<BitSet> kept_;
};

// Inserts the metadata instructions (pir and pbr) into the program.
class Writer {
 public:
  Writer(const ControlFlow& flow, const Releases& plan, bool wide, bool empty_pir)
      : flow_(flow), plan_(plan), wide_(wide), empty_pir_(empty_pir) {}

  void replace(const Program& program, std::size_t n, Replacement& out) {
    const Instruction& i = program.code[n];
    const int block = flow_.block_of(n);
    const bool first = n == flow_.block(block).first;
    if (first)
      for (const std::uint64_t word : isa::encode_pbr(plan_.lists[static_cast<std::size_t>(block)], wide_))
        emit(i, word, out);
    if (first || (!i.metadata && used_ + isa::release_groups(i) > isa::kReleaseGroups)) {
      used_ = 0;
      const std::uint64_t field = gather(program, n, flow_.block(block).end);
      if (field != 0 || empty_pir_) emit(i, isa::encode_pir(field), out);
    }
    if (!i.metadata) used_ += isa::release_groups(i);
    out.emit(i);
  }

 private:
  std::uint64_t gather(const Program& program, std::size_t n, std::size_t end) const {
    std::uint64_t field = 0;
    for (int used = 0; n < end; ++n) {
      if (program.code[n].metadata) continue;
      const int groups = isa::release_groups(program.code[n]);
      if (used + groups > isa::kReleaseGroups) break;
      field |= plan_.flags[n] >> (isa::kReleaseGroupBits * used);
      used += groups;
    }
    return field;
  }

  static void emit(const Instruction& served, std::uint64_t payload, Replacement& out) {
    Instruction word = make_overhead(served, isa::Opcode::nop, isa::DataType::none);
    word.overhead = false;
    word.metadata = true;
    word.payload = payload;
    out.emit(word);
  }

  const ControlFlow& flow_;
  const Releases& plan_;
  bool wide_, empty_pir_;
  int used_ = 0;
};

class ReleaseFlags : public ICompilerPass {
 public:
  ReleaseFlags(const ReleaseFlagParameters& parameters, Context&) : parameters_(parameters) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const Releases plan = Planner(unit, parameters_.divergence == "reconvergence").run();
    const Program before = unit.program();
    const ControlFlow flow(before);
    Writer writer(flow, plan, before.registers > isa::kNarrowRegisters, parameters_.empty_pir);
    rewrite(unit.edit(),
            [&](std::size_t n, const Instruction&, Replacement& out) { writer.replace(before, n, out); });
  }

 private:
  ReleaseFlagParameters parameters_;
};

const Registration<ICompilerPass, ReleaseFlags, ReleaseFlagParameters> release_flags_entry{
    "release-flags",
    "inserts metadata that releases registers (Jeon 2015, 6)",
    {.kinds = {"flags"}, .after = {"numbering", "mark", "value-levels"}}};

}  // namespace
}  // namespace heddle::compiler
