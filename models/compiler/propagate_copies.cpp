// Copy propagation: replaces reads of a move's target by reads of the move's source. On all paths to the read,
// the target must still hold this source. A write of the target or of the source ends the copy, even if the
// write is guarded.
//
// Constants replace registers only where GPU instructions accept constants: at most one immediate or
// parameter in an arithmetic instruction, immediate addresses, constant predicates in guards and predicate
// logic. A special register such as tid.x does not replace the target of its move, because GPUs read special
// registers by separate instructions.
//
// If the number of blocks times the number of copies exceeds kMostFlow, copies are propagated only within
// blocks.

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "models/compiler/analyses/copy_facts.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/rewrite.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Operand;

// Memory limit of the analysis across blocks: 2^30 bits (128 MiB), with one bit per block and copy.
constexpr std::uint64_t kMostFlow = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostEnds = 50'000'000;
// Largest number of sweeps over the program. Usually two sweeps suffice, plus one for each loop level.
constexpr int kMostSweeps = 64;

class Propagation {
 public:
  Propagation(isa::Program& program, const ControlFlow& flow)
      : program_(program), flow_(flow), known_(std::size_t{program.registers} + program.predicates) {
    mentions_.resize(std::size_t{program.registers} + program.predicates);
    find_facts();
    solve();
  }

  void run() {
    never_.assign(program_.code.size(), false);
    for (const int b : flow_.order()) {
      known_.clear();
      in_[static_cast<std::size_t>(b)].for_each([&](std::size_t f) { begin_fact(static_cast<int>(f)); });
      for (std::uint32_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) {
        const int fact = fact_[n];
        replace(n);
        end_facts(program_.code[n]);
        if (fact >= 0) begin_fact(fact);
      }
    }
    remove_instructions(program_, never_);
  }

 private:
  std::size_t member(const Operand& o) const {
    return o.is_pred() ? program_.registers + std::size_t{o.pred.value} : o.reg.value;
  }

  void find_facts() {
    using Key = std::tuple<std::size_t, int, int, bool, std::uint64_t, std::uint64_t>;
    std::map<Key, int> numbers;
    fact_.assign(program_.code.size(), -1);
    for (std::size_t n = 0; n < program_.code.size(); ++n) {
      const auto fact = fact_of(program_.code[n]);
      if (!fact) continue;
      const Operand& from = fact->from;
      const bool named = from.is_reg() || from.is_pred();
      const Key key{
          member(fact->to),         fact->to.bits,         static_cast<int>(from.kind), from.negated,
          named ? member(from) : 0, named ? 0 : from.value};
      const auto [it, is_new] = numbers.emplace(key, static_cast<int>(facts_.size()));
      const int number = fact_[n] = it->second;
      if (!is_new) continue;
      facts_.push_back(*fact);
      for_each_member(*fact, [&](std::size_t m) { mentions_[m].push_back(number); });
    }
  }

  template <class F>
  void for_each_member(const CopyFact& fact, F&& f) const {
    const auto each = [&](const Operand& o) {
      const std::size_t words = o.is_pred() ? 1 : static_cast<std::size_t>(o.words());
      for (std::size_t w = 0; w < words; ++w) f(member(o) + w);
    };
    each(fact.to);
    if (fact.from.is_reg() || fact.from.is_pred()) each(fact.from);
  }

  void begin_fact(int fact) {
    std::array<std::size_t, 4> members{};
    std::size_t count = 0;
    for_each_member(facts_[static_cast<std::size_t>(fact)], [&](std::size_t m) { members[count++] = m; });
    known_.add(fact, {members.data(), count});
  }

  template <class F>
  void for_each_written(const Instruction& i, F&& f) const {
    for_each_written_word(i, [&](std::uint32_t w) { f(std::size_t{w}); });
    for_each_written_predicate(i, [&](std::uint32_t p) { f(program_.registers + std::size_t{p}); });
  }

  void end_facts(const Instruction& i) {
    for_each_written(i, [&](std::size_t m) { known_.end(m); });
  }

  struct Effect {
    std::vector<std::size_t> written;
    std::vector<int> begun;
  };

  std::vector<Effect> effects() {
    std::vector<Effect> result(static_cast<std::size_t>(flow_.size()));
    std::vector<int> written_in(mentions_.size(), kNoBlock);
    for (const int b : flow_.order()) {
      Effect& effect = result[static_cast<std::size_t>(b)];
      known_.clear();
      for (std::uint32_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) {
        for_each_written(program_.code[n], [&](std::size_t m) {
          if (written_in[m] != b) effect.written.push_back(m);
          written_in[m] = b;
          known_.end(m);
        });
        if (fact_[n] >= 0) begin_fact(fact_[n]);
      }
      for (const std::size_t m : effect.written)
        if (known_.of(m) != KnownCopies::kNone) effect.begun.push_back(known_.of(m));
    }
    known_.clear();
    return result;
  }

  void solve() {
    const BitSet none(facts_.size());
    in_.assign(static_cast<std::size_t>(flow_.size()), BitSet());
    const std::vector<Effect> effect = effects();
    std::uint64_t ended = 0;
    for (const Effect& e : effect)
      for (const std::size_t m : e.written) ended += mentions_[m].size();
    const std::uint64_t held = static_cast<std::uint64_t>(flow_.size()) * facts_.size();
    if (held > kMostFlow || ended > kMostEnds) return;
    in_.assign(in_.size(), none);
    BitSet all = none;
    all.fill();
    std::vector<BitSet> out(in_.size(), all);
    for (int sweep = 0;; ++sweep) {
      bool changed = false;
      for (const int b : flow_.order()) {
        const auto at = static_cast<std::size_t>(b);
        BitSet known = b == 0 ? none : all;
        for (const int p : flow_.block(b).predecessors)
          if (flow_.block(p).reachable) known.intersect(out[static_cast<std::size_t>(p)]);
        in_[at] = known;
        for (const std::size_t m : effect[at].written)
          for (const int f : mentions_[m]) known.reset(static_cast<std::size_t>(f));
        for (const int f : effect[at].begun) known.set(static_cast<std::size_t>(f));
        if (known == out[at]) continue;
        out[at] = std::move(known);
        changed = true;
      }
      if (!changed) return;
      if (sweep == kMostSweeps) break;
    }
    in_.assign(in_.size(), BitSet());
  }

  const CopyFact* find(const Operand& o) const {
    const int f = known_.of(member(o));
    if (f == KnownCopies::kNone) return nullptr;
    const CopyFact& fact = facts_[static_cast<std::size_t>(f)];
    return fact.to.words() == o.words() && fact.to.bits >= o.bits ? &fact : nullptr;
  }

  void replace(std::uint32_t n) {
    Instruction& i = program_.code[n];
    if (i.metadata) return;
    for (std::size_t s = 0; s < i.num_src; ++s)
      while (replace_source(i, s)) {
      }
    while (i.guard.present && replace_guard(n)) {
    }
  }

  bool replace_source(Instruction& i, std::size_t s) {
    Operand& o = i.src[s];
    if (!o.is_reg() && !o.is_pred()) return false;
    const CopyFact* fact = find(o);
    if (!fact) return false;
    Operand from = fact->from;
    if (is_constant(from)) {
      if (from.kind == Operand::Kind::param && from.bits != o.bits) return false;
      if (!accepts(i, s, from)) return false;
      if (o.bits < 64)
        from.value = from.kind == Operand::Kind::immediate ? from.value & ((std::uint64_t{1} << o.bits) - 1)
                                                           : from.value;
    }
    from.bits = o.bits;
    from.negated = from.negated != o.negated;
    if (from.kind == Operand::Kind::immediate && from.negated) {
      from.value ^= 1u;
      from.negated = false;
    }
    o = from;
    return true;
  }

  // Removes a guard that is always true, and an instruction whose guard is never true. Branches and exits
  // keep constant guards, because reconvergence points would otherwise move.
  bool replace_guard(std::uint32_t n) {
    isa::Guard& guard = program_.code[n].guard;
    const CopyFact* fact = find(Operand::make_pred(guard.pred));
    if (!fact) return false;
    const bool negated = guard.negated != fact->from.negated;
    if (fact->from.is_pred()) {
      guard.pred = fact->from.pred;
      guard.negated = negated;
      return true;
    }
    if (changes_control_flow(program_.code[n])) return false;
    const bool holds = ((fact->from.value & 1u) != 0) != negated;
    if (!holds) {
      never_[n] = true;
    } else {
      guard = {};
    }
    return false;
  }

  isa::Program& program_;
  const ControlFlow& flow_;
  std::vector<CopyFact> facts_;
  std::vector<int> fact_;
  std::vector<std::vector<int>> mentions_;
  KnownCopies known_;
  std::vector<BitSet> in_;
  std::vector<bool> never_;
};

class PropagateCopies : public ICompilerPass {
 public:
  PropagateCopies(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::before_allocation; }
  void run(CompilationUnit& unit) override {
    const ControlFlow flow(unit.program());
    Propagation(unit.edit(), flow).run();
  }
};

const Registration<ICompilerPass, PropagateCopies> propagate_copies_entry{
    "propagate-copies",
    "uses of a moved value read the move's source: registers, immediates, parameters",
    {.kinds = {"clean-up"}, .before = {"simplify-predicates", "transformation", "allocation"}}};

}  // namespace
}  // namespace heddle::compiler
