// Divides a kernel into register intervals: parts of the program with a single entry and at most `registers`
// different registers. A register file loads these registers before a warp executes the interval (Sadrosadati
// 2018, LTRF). Details that are not published are assumed.
//
// 1. Blocks with too many registers are split.
// 2. In program order, each block joins the interval of its predecessors if three conditions hold. All its
//    forward predecessors are in one interval. The block is no loop head. The union of the registers is not too
//    large. Otherwise the block begins a new interval.
// 3. An interval with only one predecessor interval is merged into this predecessor if the union of the
//    registers is not too large. A loop with few registers thus becomes one interval.

#include "models/compiler/register_intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>
#include <vector>

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/core/register_set.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

constexpr const char* kInterval = "register-interval";
constexpr const char* kLive = "interval-live";
constexpr const char* kBudget = "interval-budget";

RegisterSet registers_of(const Instruction& i) {
  RegisterSet set;
  const auto add = [&set](std::uint32_t w) { set.set(w); };
  for_each_read_word(i, add);
  for_each_written_word(i, add);
  return set;
}

int size_of(const RegisterSet& set) {
  int size = 0;
  for (const std::uint64_t word : set.bits) size += std::popcount(word);
  return size;
}

RegisterSet united(RegisterSet a, const RegisterSet& b) {
  a.merge(b);
  return a;
}

RegisterSet live_before(const WarpLiveSets& live, std::size_t n) {
  RegisterSet set;
  for (std::uint32_t w = 0; w < live.words(); ++w)
    if (live.word_before(n, w)) set.set(w);
  return set;
}

std::vector<std::uint64_t> words_of(const RegisterSet& set) { return {set.bits.begin(), set.bits.end()}; }

RegisterSet set_of(std::span<const std::uint64_t> words) {
  RegisterSet set;
  std::copy(words.begin(), words.end(), set.bits.begin());
  return set;
}

std::size_t at(int n) { return static_cast<std::size_t>(n); }

/// A basic block, or one part of a block that was split because it uses too many registers.
struct Piece {
  std::size_t first = 0, end = 0;
  RegisterSet registers;
  std::set<int> predecessors;
  int interval = -1;
};

class Intervals {
 public:
  Intervals(const isa::Program& program, const ControlFlow& flow, int budget)
      : program_(program), flow_(flow), budget_(budget) {
    split();
    link();
    join();
    while (merge()) {
    }
  }

  const std::vector<Piece>& pieces() const { return pieces_; }
  const RegisterSet& registers_of(int interval) const { return sets_[at(interval)]; }

 private:
  bool fits(const RegisterSet& set) const { return size_of(set) <= budget_; }

  void split() {
    for (int b = 0; b < flow_.size(); ++b) {
      first_.push_back(static_cast<int>(pieces_.size()));
      begin_piece(flow_.block(b).first);
      for (std::size_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) add(n);
      last_.push_back(static_cast<int>(pieces_.size()) - 1);
    }
  }

  void begin_piece(std::size_t n) {
    Piece& piece = pieces_.emplace_back();
    piece.first = piece.end = n;
  }

  void add(std::size_t n) {
    const Instruction& i = program_.code[n];
    const RegisterSet own = i.metadata ? RegisterSet{} : compiler::registers_of(i);
    if (!fits(own))
      throw Error(fmt::format("{}:{}", program_.file, i.location.ptx_line),
                  fmt::format("kernel {}: \"{}\" has {} registers, an interval {}", program_.kernel,
                              to_string(i), size_of(own), budget_),
                  fmt::format("register-intervals with registers of at least {}", size_of(own)));
    if (!fits(united(pieces_.back().registers, own))) {
      begin_piece(n);
      pieces_.back().predecessors.insert(static_cast<int>(pieces_.size()) - 2);
    }
    pieces_.back().registers.merge(own);
    pieces_.back().end = n + 1;
  }

  void link() {
    for (int b = 0; b < flow_.size(); ++b)
      for (const int s : flow_.block(b).successors)
        pieces_[at(first_[at(s)])].predecessors.insert(last_[at(b)]);
  }

  void join() {
    sets_.resize(pieces_.size());
    for (int p = 0; p < static_cast<int>(pieces_.size()); ++p) {
      Piece& piece = pieces_[at(p)];
      std::set<int> from;
      bool joins = p != 0 && !piece.predecessors.empty();
      for (const int q : piece.predecessors) {
        joins = joins && q < p;
        if (q < p) from.insert(pieces_[at(q)].interval);
      }
      joins = joins && from.size() == 1 && fits(united(sets_[at(*from.begin())], piece.registers));
      piece.interval = joins ? *from.begin() : p;
      sets_[at(piece.interval)].merge(piece.registers);
    }
  }

  // Merges one interval into its only predecessor interval. Returns false if there is no such interval whose
  // merging is allowed.
  bool merge() {
    std::vector<std::set<int>> from(pieces_.size());
    for (const Piece& piece : pieces_)
      for (const int q : piece.predecessors)
        if (pieces_[at(q)].interval != piece.interval)
          from[at(piece.interval)].insert(pieces_[at(q)].interval);
    for (int j = 1; j < static_cast<int>(pieces_.size()); ++j) {
      if (pieces_[at(j)].interval != j || from[at(j)].size() != 1) continue;
      const int to = *from[at(j)].begin();
      if (!fits(united(sets_[at(to)], sets_[at(j)]))) continue;
      sets_[at(to)].merge(sets_[at(j)]);
      for (Piece& piece : pieces_)
        if (piece.interval == j) piece.interval = to;
      return true;
    }
    return false;
  }

  const isa::Program& program_;
  const ControlFlow& flow_;
  int budget_;
  std::vector<Piece> pieces_;
  std::vector<int> first_, last_;
  std::vector<RegisterSet> sets_;
};

struct RegisterIntervalParameters {
  int registers = 16;
  void fields(FieldVisitor& v) {
    v.field("registers", registers, {4, 255},
            "most registers of an interval, at least those of one instruction");
  }
};

class RegisterIntervals : public ICompilerPass {
 public:
  RegisterIntervals(const RegisterIntervalParameters& parameters, Context&)
      : registers_(parameters.registers) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const Intervals intervals(unit.program(), unit.control_flow(), registers_);
    const WarpLiveSets& live = unit.warp_liveness();
    isa::Program& program = unit.annotate();
    program.notes.attach({kBudget, {static_cast<std::uint64_t>(registers_)}});
    for (const Piece& piece : intervals.pieces()) {
      std::vector<std::uint64_t> words = words_of(intervals.registers_of(piece.interval));
      words.insert(words.begin(), static_cast<std::uint64_t>(piece.interval));
      bool first = true;
      for (std::size_t n = piece.first; n < piece.end; ++n) {
        Instruction& i = program.code[n];
        i.notes = program.notes.with(i.notes, {kInterval, words, true});
        if (i.metadata || !std::exchange(first, false)) continue;
        i.notes = program.notes.with(i.notes, {kLive, words_of(live_before(live, n))});
      }
    }
  }

  void check(const isa::Program& program) const override {
    const auto fault = find_interval_fault(program);
    if (!fault) return;
    throw Error(program.file,
                fmt::format("kernel {}, instruction {} \"{}\": {}", program.kernel, fault->instruction,
                            to_string(program.code[fault->instruction]), fault->what));
  }

 private:
  int registers_;
};

const Registration<ICompilerPass, RegisterIntervals, RegisterIntervalParameters> register_intervals_entry{
    "register-intervals",
    "cuts a kernel into parts with one entry and few registers (LTRF)",
    {.kinds = {"register-set"}, .before = {"flags"}, .after = {"mark", "numbering", "register-hint"}}};

}  // namespace

std::optional<IntervalFault> find_interval_fault(const isa::Program& program) {
  const isa::NotedWords intervals(program.notes, kInterval), lives(program.notes, kLive),
      budgets(program.notes, kBudget);
  if (!budgets.any()) return {};
  const std::uint64_t budget = budgets.in(program.notes.of_program())[0];
  const ControlFlow flow(program);
  const LiveSets thread(program, flow);
  const Divergence divergence(program, flow);
  const WarpLiveSets live(program, flow, thread, divergence);
  std::vector<std::size_t> entry_of(program.code.size() + 1, program.code.size());
  std::vector<std::size_t> first_of = entry_of;
  const auto number = [&](std::size_t n) { return intervals.in(program.code[n].notes)[0]; };
  // Records instruction n as the entry of its interval. Returns false if another instruction is already the
  // entry of this interval.
  const auto enters = [&](std::size_t n) {
    std::size_t& entry = entry_of[number(n)];
    if (entry == program.code.size()) entry = n;
    return entry == n;
  };
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const Instruction& i = program.code[n];
    const auto words = intervals.in(i.notes);
    if (words.size() != 5 || words[0] > program.code.size()) return IntervalFault{n, "is in no interval"};
    std::size_t& first = first_of[words[0]];
    if (first == program.code.size()) first = n;
    if (!std::ranges::equal(words, intervals.in(program.code[first].notes)))
      return IntervalFault{n, "has another set of registers than its interval"};
    const RegisterSet set = set_of(words.subspan(1));
    if (static_cast<std::uint64_t>(size_of(set)) > budget)
      return IntervalFault{n, fmt::format("its interval has {} registers of {}", size_of(set), budget)};
    if (!i.metadata && registers_of(i).without(set).any())
      return IntervalFault{n, "its interval lacks a register"};
    const auto noted = lives.in(i.notes);
    if (!noted.empty() && live_before(live, n).without(set_of(noted)).any())
      return IntervalFault{n, "its note lacks a register that a lane still reads"};
  }
  for (int b = 0; b < flow.size(); ++b) {
    const BasicBlock& block = flow.block(b);
    if (!block.reachable) continue;
    if (b == 0 && !enters(block.first))
      return IntervalFault{block.first, "is a second entry of its interval"};
    for (std::size_t n = block.first + 1; n < block.end; ++n)
      if (number(n) != number(n - 1) && !enters(n))
        return IntervalFault{n, "is a second entry of its interval"};
    for (const int s : block.successors) {
      const std::size_t to = flow.block(s).first;
      if (number(to) != number(block.end - 1) && !enters(to))
        return IntervalFault{to, "is a second entry of its interval"};
    }
  }
  return {};
}

}  // namespace heddle::compiler
