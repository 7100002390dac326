// Divides the program into strands (Gebhart 2012, 5.1; Bailey 2018, III-B). Upper levels of the register
// hierarchy pass no value from one strand to another, and a warp leaves the active set only between strands.
// 1. Strands end after barriers and fences, and at backward branches.
// 2. Strands end before the first instruction, in the warp's execution order, that needs an outstanding
//    long-latency result. Rule "gebhart": the warp then waits for all outstanding results. If paths with
//    different outstanding results meet, a strand ends before the meeting point (Gebhart 2012, Fig. 9b),
//    unless one of the paths comes directly from a branch. Rule "bailey": the warp waits only for the results
//    that the next instruction needs.
// 3. Strands begin after the ends of strands and at the blocks that strand_beginnings.h adds.
//
// Strands are cut at kLongestStrand instructions, because the cost of later passes grows with the square of a
// strand's length.

#include <algorithm>
#include <set>

#include "models/compiler/analyses/pending_results.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/strand_beginnings.h"
#include "models/isa/async_copy.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;

// Largest number of instructions of a strand: ten times more than in any strand of testbench/kernels.
constexpr int kLongestStrand = 2048;

struct StrandParameters {
  std::string rule = "gebhart";
  bool backward_branches = true;
  bool long_latency = true;
  void fields(FieldVisitor& v) {
    v.field("rule", rule, {"gebhart", "bailey"},
            "where strands end: Gebhart 2012, 5.1 or Bailey 2018, III-B");
    v.field("backward_branches", backward_branches,
            "strands end at backward branches; if false, a loop in which nothing else ends a strand is part "
            "of a strand (limit study, Gebhart 2012, 8.2)");
    v.field("long_latency", long_latency,
            "strands end where a long-latency result is needed; if false, hardware must keep the upper "
            "levels of descheduled warps (limit study, Gebhart 2012, 8.3)");
  }
};

class StrandBuilder {
 public:
  StrandBuilder(CompilationUnit& unit, const StrandParameters& parameters)
      : parameters_(parameters),
        bailey_(parameters.rule == "bailey"),
        flow_(unit.control_flow()),
        live_(unit.thread_liveness()),
        warp_(unit.program(), flow_, unit.divergence()),
        program_(unit.annotate()) {}

  void run() {
    for (Instruction& i : program_.code) i.ends_strand = i.strand_waits = i.begins_strand = false;
    for (Instruction& i : program_.code) i.ends_strand = !i.metadata && isa::may_suspend(i);
    end_at_backward_branches();
    end_long_strands();
    while ((parameters_.long_latency && end_at_first_wait()) || end_at_cut_loops()) {
    }
    StrandBeginnings beginnings(program_, flow_, warp_);
    for (int b = 0; b < flow_.size(); ++b)
      if (is_head(b)) beginnings.add(b);
    if (bailey_) beginnings.add_blocks_that_run_twice();
    beginnings.mark();
  }

 private:
  bool is_backward(std::size_t n) const {
    const Instruction& i = program_.code[n];
    return i.is_branch() && static_cast<std::size_t>(i.target) <= n;
  }

  bool is_head(int block) const {
    if (!parameters_.backward_branches && !cut_head_[static_cast<std::size_t>(block)]) return false;
    return head_[static_cast<std::size_t>(block)];
  }

  void end_at_backward_branches() {
    head_.assign(static_cast<std::size_t>(flow_.size()), false);
    cut_head_.assign(static_cast<std::size_t>(flow_.size()), false);
    for (std::size_t n = 0; n < program_.code.size(); ++n)
      if (is_backward(n) && flow_.block(flow_.block_of(n)).reachable)
        head_[static_cast<std::size_t>(flow_.block_of(static_cast<std::size_t>(program_.code[n].target)))] =
            true;
    if (!parameters_.backward_branches) return;
    for (int b = 0; b < flow_.size(); ++b)
      if (head_[static_cast<std::size_t>(b)]) cut_loop(b);
  }

  void end_long_strands() {
    int length = 0;
    for (std::size_t n = 0; n < program_.code.size(); ++n) {
      const Instruction& i = program_.code[n];
      length = i.ends_strand ? 0 : length + 1;
      if (length < kLongestStrand || i.metadata || i.is_branch()) continue;
      mark(n, false);
      length = 0;
    }
  }

  // Ends strands where control enters the loop that begins at block `head`: after the branches back to
  // `head`, and after blocks outside the loop that lead only to `head`.
  void cut_loop(int head) {
    cut_head_[static_cast<std::size_t>(head)] = true;
    for (const int p : flow_.block(head).predecessors) {
      if (!flow_.block(p).reachable) continue;
      const std::size_t last = flow_.block(p).end - 1;
      const bool jumps_back =
          is_backward(last) && flow_.block_of(static_cast<std::size_t>(program_.code[last].target)) == head;
      if (jumps_back || (flow_.block(p).successors.size() == 1 && warp_.leads_only_to(p, head)))
        end_after(p, false);
    }
  }

  // Ends strands where control enters a loop that contains a strand end, because such a loop cannot lie in
  // one strand. Does nothing if backward branches end strands. Returns true if it found such a loop.
  bool end_at_cut_loops() {
    if (parameters_.backward_branches) return false;
    bool changed = false;
    for (int h = 0; h < flow_.size(); ++h) {
      if (!head_[static_cast<std::size_t>(h)] || cut_head_[static_cast<std::size_t>(h)]) continue;
      if (!loop_has_end(h)) continue;
      cut_loop(h);
      changed = true;
    }
    return changed;
  }

  bool loop_has_end(int head) const {
    std::vector<bool> inside(static_cast<std::size_t>(warp_.size()), false);
    std::vector<int> work;
    const std::size_t first = flow_.block(head).first;
    for (const int p : flow_.block(head).predecessors)
      if (flow_.block(p).reachable && flow_.block(p).first >= first) work.push_back(p);
    inside[static_cast<std::size_t>(head)] = true;
    for (std::size_t n = 0; n < work.size(); ++n) {
      if (inside[static_cast<std::size_t>(work[n])]) continue;
      inside[static_cast<std::size_t>(work[n])] = true;
      for (const int p : warp_.predecessors(work[n])) work.push_back(p);
    }
    for (int b = 0; b < flow_.size(); ++b)
      if (inside[static_cast<std::size_t>(b)] && has_strand_end(program_, flow_.block(b))) return true;
    return false;
  }

  void mark(std::size_t n, bool waits) {
    program_.code[n].ends_strand = true;
    program_.code[n].strand_waits = program_.code[n].strand_waits || (waits && !bailey_);
  }

  void end_after(int block, bool waits) {
    if (const auto last = last_issued(program_, flow_.block(block), flow_.block(block).end)) {
      mark(*last, waits);
      return;
    }
    std::vector<bool> seen(static_cast<std::size_t>(warp_.size()), false);
    const auto enter = [&](int junction) {
      const bool anew = !seen[static_cast<std::size_t>(junction)];
      return seen[static_cast<std::size_t>(junction)] = true, anew;
    };
    warp_.for_each_before(block, enter, [&](int p) {
      if (p != block) end_after(p, waits);
    });
  }

  bool covered(std::size_t n) const {
    return program_.code[n].ends_strand && (bailey_ || program_.code[n].strand_waits);
  }

  // Examines the blocks in program order, and ends strands at the first block that needs this: before
  // instructions that use an outstanding long-latency result, or at an uncertain meeting of paths. Loop heads
  // are examined last for such meetings, because the strand ends within the loop determine which results are
  // outstanding there. Returns true if a strand end was added.
  bool end_at_first_wait() {
    const PendingResults results(program_, flow_, warp_);
    for (int b = 0; b < flow_.size(); ++b) {
      if (!flow_.block(b).reachable) continue;
      if (!head_[static_cast<std::size_t>(b)] && end_at_uncertain_meeting(results, b)) return true;
      if (end_at_waits(b, results.entering(b))) return true;
    }
    for (int b = 0; b < flow_.size(); ++b)
      if (head_[static_cast<std::size_t>(b)] && end_at_uncertain_meeting(results, b)) return true;
    return false;
  }

  bool end_at_waits(int b, BitSet pending) {
    const BasicBlock& block = flow_.block(b);
    bool changed = false;
    for (std::size_t n = block.first; n < block.end; ++n) {
      const Instruction& i = program_.code[n];
      if (!i.metadata && PendingResults::waits(i, pending)) {
        if (const auto before = last_issued(program_, block, n)) {
          changed = changed || !covered(*before);
          mark(*before, true);
        } else {
          changed = end_before_block(b) || changed;
        }
        if (!bailey_) pending.clear();
      }
      PendingResults::step(i, pending);
    }
    return changed;
  }

  bool end_before_block(int block) {
    bool changed = false;
    const auto enter = [this](int junction) { return settled_.insert(junction).second; };
    warp_.for_each_before(block, enter, [&](int p) {
      const auto last = last_issued(program_, flow_.block(p), flow_.block(p).end);
      if (last && covered(*last)) return;
      end_after(p, true);
      changed = changed || last.has_value();
    });
    return changed;
  }

  // Ends a strand before block b in this case: paths meet at b, only some of these paths have an outstanding
  // result, and an instruction reads this result later (Gebhart 2012, Fig. 9b).
  bool end_at_uncertain_meeting(const PendingResults& results, int b) {
    if (bailey_) return false;
    BitSet words(program_.registers);
    const LiveSets::Point live = live_.before(flow_.block(b).first);
    results.entering(b).for_each([&](std::size_t w) {
      if (w < program_.registers && live.test(w)) words.set(w);
    });
    if (words.empty()) return false;
    bool differ = false, alone = true;
    std::set<int> seen;
    const auto enter = [&](int junction) { return alone && seen.insert(junction).second; };
    warp_.for_each_before(b, enter, [&](int p) {
      alone = alone && flow_.block(p).successors.size() <= 1;
      differ = differ || !results.leaving(p).has(words);
    });
    return differ && alone && end_before_block(b);
  }

  const StrandParameters& parameters_;
  bool bailey_;
  const ControlFlow& flow_;
  const LiveSets& live_;
  WarpFlow warp_;
  isa::Program& program_;
  std::vector<bool> head_, cut_head_;
  std::set<int> settled_;
};

class Strands : public ICompilerPass {
 public:
  Strands(const StrandParameters& parameters, Context&) : parameters_(parameters) {}

  PassStage stage() const override { return PassStage::after_allocation; }
  void run(CompilationUnit& unit) override { StrandBuilder(unit, parameters_).run(); }

 private:
  StrandParameters parameters_;
};

const Registration<ICompilerPass, Strands, StrandParameters> strands_entry{
    "strands",
    "divides the program into strands; no value stays in the upper register levels between strands",
    {.before = {"value-levels", "mark", "numbering"}}};

}  // namespace
}  // namespace heddle::compiler
