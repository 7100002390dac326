// Loop unrolling: copies a loop with its exit test, so that a warp executes one backward branch per `factor`
// iterations. This lengthens strands, because a backward branch ends a strand (Gebhart 2012, 5.1; 7.8
// recommends unrolling).
//
// A loop is unrolled if all of these conditions hold:
// - The loop extends from the target of its only backward branch to this branch.
// - Branches from outside lead only to the loop's first instruction. Branches out of the loop lead only to
//   the instruction after it.
// - No instruction of the loop ends a thread.
//
// The branch at the end of each copy, except in the last copy, is inverted, so that it leaves the loop if
// taken.

#include <algorithm>
#include <string>
#include <vector>

#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

struct UnrollLoopsParameters {
  int factor = 4;
  int max_instructions = 128;

  void fields(FieldVisitor& v) {
    v.field("factor", factor, {2, 32}, "rounds of a loop per jump back");
    v.field("max_instructions", max_instructions, {2, 4096},
            "instructions in all copies of a loop; longer loops get fewer copies, or none");
  }
};

struct Loop {
  std::size_t first, last;
  std::size_t size() const { return last - first + 1; }
};

bool ends_threads(const Instruction& i) { return i.op == isa::Opcode::exit || i.op == isa::Opcode::trap; }

class Unroller {
 public:
  Unroller(const isa::Program& program, const UnrollLoopsParameters& parameters)
      : program_(program), parameters_(parameters) {}

  isa::Program run() {
    std::vector<Loop> loops;
    for (std::size_t n = 0; n < code().size(); ++n)
      if (jumps_back(n) && copies_of(loop_at(n)) > 1 && is_closed(loop_at(n))) loops.push_back(loop_at(n));
    emit(loops);
    return finished();
  }

 private:
  struct Jump {
    std::size_t at;
    std::size_t target;
    std::size_t copy;
    const Loop* loop;
  };

  const std::vector<Instruction>& code() const { return program_.code; }
  std::size_t target(std::size_t n) const { return static_cast<std::size_t>(code()[n].target); }
  bool jumps_back(std::size_t n) const { return code()[n].is_branch() && target(n) <= n; }
  Loop loop_at(std::size_t n) const { return {target(n), n}; }
  std::size_t copies_of(const Loop& loop) const {
    return std::min(static_cast<std::size_t>(parameters_.factor),
                    static_cast<std::size_t>(parameters_.max_instructions) / loop.size());
  }

  bool is_closed(const Loop& loop) const {
    bool left = code()[loop.last].guard.present;
    for (std::size_t n = 0; n < code().size(); ++n) {
      const bool inside = n >= loop.first && n <= loop.last;
      if (inside && ends_threads(code()[n])) return false;
      if (!code()[n].is_branch() || n == loop.last) continue;
      const std::size_t to = target(n);
      if (inside ? to <= n || to > loop.last + 1 : to > loop.first && to <= loop.last) return false;
      left = left || (inside && to == loop.last + 1);
    }
    return left && loop.last + 1 < code().size();
  }

  void emit(const std::vector<Loop>& loops) {
    moved_.resize(code().size());
    std::size_t next = 0;
    for (std::size_t n = 0; n < code().size();) {
      if (next < loops.size() && loops[next].first == n) {
        emit_copies(loops[next]);
        n = loops[next++].last + 1;
      } else {
        moved_[n] = out_.size();
        put(n, 0, nullptr);
        ++n;
      }
    }
  }

  void emit_copies(const Loop& loop) {
    const std::size_t copies = copies_of(loop);
    std::vector<std::size_t>& at = starts_.emplace_back(Copies{&loop, {}}).at;
    for (std::size_t copy = 0; copy < copies; ++copy)
      for (std::size_t n = loop.first; n <= loop.last; ++n) {
        at.push_back(out_.size());
        if (copy == 0) moved_[n] = out_.size();
        if (n != loop.last || copy + 1 == copies)
          put(n, copy, &loop);
        else if (code()[n].guard.present)
          put_exit(n, copy, loop);
      }
  }

  void put(std::size_t n, std::size_t copy, const Loop* loop) {
    const bool back = loop && n == loop->last;
    if (code()[n].is_branch()) jumps_.push_back({out_.size(), target(n), back ? 0 : copy, loop});
    out_.push_back(code()[n]);
    labels_.push_back(copy == 0 && n < program_.labels.size() ? program_.labels[n] : std::string());
  }

  void put_exit(std::size_t n, std::size_t copy, const Loop& loop) {
    jumps_.push_back({out_.size(), loop.last + 1, copy, &loop});
    out_.push_back(code()[n]);
    out_.back().guard.negated = !out_.back().guard.negated;
    labels_.emplace_back();
  }

  std::size_t place_of(const Jump& jump) const {
    if (!jump.loop || jump.target < jump.loop->first || jump.target > jump.loop->last)
      return moved_[jump.target];
    for (const Copies& copies : starts_)
      if (copies.loop == jump.loop)
        return copies.at[jump.copy * jump.loop->size() + jump.target - jump.loop->first];
    return moved_[jump.target];
  }

  isa::Program finished() {
    for (const Jump& jump : jumps_) out_[jump.at].target = static_cast<std::int32_t>(place_of(jump));
    isa::Program program = program_;
    program.code = std::move(out_);
    if (!program.labels.empty()) program.labels = std::move(labels_);
    return program;
  }

  struct Copies {
    const Loop* loop;
    std::vector<std::size_t> at;
  };

  const isa::Program& program_;
  const UnrollLoopsParameters& parameters_;
  std::vector<Instruction> out_;
  std::vector<std::string> labels_;
  std::vector<std::size_t> moved_;
  std::vector<Copies> starts_;
  std::vector<Jump> jumps_;
};

class UnrollLoops : public ICompilerPass {
 public:
  UnrollLoops(const UnrollLoopsParameters& parameters, Context&) : parameters_(parameters) {}
  PassStage stage() const override { return PassStage::before_allocation; }

  void run(CompilationUnit& unit) override {
    isa::Program unrolled = Unroller(unit.program(), parameters_).run();
    unit.edit() = std::move(unrolled);
  }

 private:
  UnrollLoopsParameters parameters_;
};

const Registration<ICompilerPass, UnrollLoops, UnrollLoopsParameters> unroll_loops_entry{
    "unroll-loops",
    "copies the bodies of innermost loops, each with the loop's test",
    {.kinds = {"transformation"}, .before = {"schedule-loads", "allocation"}}};

}  // namespace
}  // namespace heddle::compiler
