// Copy propagation: where a register holds, on all paths, what was moved into it, the source of the move
// takes its place (forward available-copies analysis; a copy ends where either side is written, under a guard
// or not).
//
// Constants go where a GPU's instruction forms take one: at most one immediate or parameter in an arithmetic
// instruction, immediates as addresses of loads and stores, predicates that are constant into guards and
// logic. Special registers stay in their moves, as GPUs read them by an instruction of its own. Lanes are
// independent here: a lane that executes an instruction has come along one of the paths that the analysis
// looked at, so what holds on all paths holds in every lane; that is also why shuffles may read the copy's
// source.

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/rewrite.h"
#include "models/compiler/use_def.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::UnitClass;

struct CopyFact {
  Operand to;
  Operand from;
};

// What the instruction moves, if it is a plain move of something that may take its place.
std::optional<CopyFact> fact_of(const Instruction& i) {
  if (i.guard.present || i.num_dst != 1 || i.num_src != 1 || i.metadata) return std::nullopt;
  const Operand& to = i.dst[0];
  Operand from = i.src[0];
  if (i.op == Opcode::not_ && i.type == isa::DataType::pred && from.is_pred()) {
    from.negated = !from.negated;
  } else if (i.op != Opcode::mov) {
    return std::nullopt;
  }
  if (to.is_pred()) {
    if (!from.is_pred() && (from.kind != Operand::Kind::immediate || from.bits != 1)) return std::nullopt;
    if (from.is_pred() && from.pred == to.pred) return std::nullopt;
    return CopyFact{to, from};
  }
  if (!to.is_reg() || to.bits != from.bits) return std::nullopt;
  if (from.is_reg()) {
    const std::uint32_t words = static_cast<std::uint32_t>(to.words());
    if (to.reg.value < from.reg.value + words && from.reg.value < to.reg.value + words) return std::nullopt;
  } else if (from.kind != Operand::Kind::immediate && from.kind != Operand::Kind::param) {
    return std::nullopt;
  }
  return CopyFact{to, from};
}

bool is_constant(const Operand& o) {
  return o.kind == Operand::Kind::immediate || o.kind == Operand::Kind::param;
}

bool is_arithmetic(const Instruction& i) {
  switch (i.op) {
    case Opcode::cvt:
    case Opcode::cvta:
    case Opcode::isspacep:
    case Opcode::pack:
    case Opcode::unpack:
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
      return false;
    default:
      return i.unit == UnitClass::int_ || i.unit == UnitClass::fp || i.unit == UnitClass::sfu;
  }
}

bool changes_control_flow(const Instruction& i) {
  return i.is_branch() || i.op == Opcode::exit || i.op == Opcode::trap;
}

// May source s of the instruction be this constant?
bool accepts(const Instruction& i, std::size_t s, const Operand& constant) {
  if (i.op == Opcode::mov) return true;
  if (i.src[s].is_pred()) return is_arithmetic(i);
  if (i.op == Opcode::ld || i.op == Opcode::st) return s == 0 && constant.kind == Operand::Kind::immediate;
  if (!is_arithmetic(i)) return false;
  const auto sources = i.sources();
  return std::none_of(sources.begin(), sources.end(),
                      [](const Operand& o) { return is_constant(o) && o.bits != 1; });
}

class Propagation {
 public:
  Propagation(isa::Program& program, const ControlFlow& flow) : program_(program), flow_(flow) {
    by_target_.resize(std::size_t{program.registers} + program.predicates);
    mentions_.resize(by_target_.size());
    find_facts();
    solve();
  }

  void run() {
    never_.assign(program_.code.size(), false);
    for (const int b : flow_.order()) {
      BitSet known = in_[static_cast<std::size_t>(b)];
      for (std::uint32_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) {
        const int fact = fact_[n];  // of the instruction as it stood
        replace(n, known);
        end_facts(program_.code[n], known);
        if (fact >= 0) known.set(static_cast<std::size_t>(fact));
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
    std::map<Key, int> numbers;  // equal moves are one fact, wherever they stand
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
      fact_[n] = it->second;
      if (!is_new) continue;
      facts_.push_back(*fact);
      by_target_[member(fact->to)].push_back(it->second);
      const auto mention = [&](const Operand& o) {
        const std::size_t words = o.is_pred() ? 1 : static_cast<std::size_t>(o.words());
        for (std::size_t w = 0; w < words; ++w) mentions_[member(o) + w].push_back(it->second);
      };
      mention(fact->to);
      if (named) mention(from);
    }
  }

  void end_facts(const Instruction& i, BitSet& known) const {
    const auto end = [&](std::size_t m) {
      for (const int f : mentions_[m]) known.reset(static_cast<std::size_t>(f));
    };
    for_each_written_word(i, [&](std::uint32_t w) { end(w); });
    for_each_written_predicate(i, [&](std::uint32_t p) { end(program_.registers + std::size_t{p}); });
  }

  void flow_through(int b, BitSet& known) const {
    for (std::uint32_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) {
      end_facts(program_.code[n], known);
      if (fact_[n] >= 0) known.set(static_cast<std::size_t>(fact_[n]));
    }
  }

  void solve() {
    const BitSet none(facts_.size());
    BitSet all = none;
    all.fill();
    in_.assign(static_cast<std::size_t>(flow_.size()), none);
    std::vector<BitSet> out(static_cast<std::size_t>(flow_.size()), all);
    for (bool changed = true; changed;) {
      changed = false;
      for (const int b : flow_.order()) {
        BitSet known = b == 0 ? none : all;
        for (const int p : flow_.block(b).predecessors)
          if (flow_.block(p).reachable) known.intersect(out[static_cast<std::size_t>(p)]);
        in_[static_cast<std::size_t>(b)] = known;
        flow_through(b, known);
        if (known == out[static_cast<std::size_t>(b)]) continue;
        out[static_cast<std::size_t>(b)] = std::move(known);
        changed = true;
      }
    }
  }

  const CopyFact* find(const Operand& o, const BitSet& known) const {
    for (const int f : by_target_[member(o)]) {
      const CopyFact& fact = facts_[static_cast<std::size_t>(f)];
      if (known.test(static_cast<std::size_t>(f)) && fact.to.words() == o.words() && fact.to.bits >= o.bits)
        return &fact;
    }
    return nullptr;
  }

  void replace(std::uint32_t n, const BitSet& known) {
    Instruction& i = program_.code[n];
    if (i.metadata) return;
    for (std::size_t s = 0; s < i.num_src; ++s)
      while (replace_source(i, s, known)) {
      }
    while (i.guard.present && replace_guard(n, known)) {
    }
  }

  bool replace_source(Instruction& i, std::size_t s, const BitSet& known) {
    Operand& o = i.src[s];
    if (!o.is_reg() && !o.is_pred()) return false;
    const CopyFact* fact = find(o, known);
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

  // A guard that never holds takes its instruction along. Branches and exits keep theirs, constant or not:
  // without the edge, post-dominators, and with them the lanes that meet in a shuffle, would be others than
  // as written.
  bool replace_guard(std::uint32_t n, const BitSet& known) {
    isa::Guard& guard = program_.code[n].guard;
    const CopyFact* fact = find(Operand::make_pred(guard.pred), known);
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
  std::vector<int> fact_;                    // by instruction, -1 = none
  std::vector<std::vector<int>> by_target_;  // facts by the first word (or predicate) that they define
  std::vector<std::vector<int>> mentions_;   // facts that a write of the word ends
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

const Registration<ICompilerPass, PropagateCopies> registered{
    "propagate-copies", "uses of a moved value read the move's source: registers, immediates, parameters"};

}  // namespace
}  // namespace heddle::compiler
