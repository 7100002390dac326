// Merges the registers of matrix operands into groups by aggressive coalescing, word by word.
//
// 1. A class is a row of 1, 2, 4 or 8 slots. Each slot is a set of words that will be one register. At first,
//    every variable (a single register, a pair or a group) is a class.
// 2. Two words conflict if one word is written while the other word is live. A move from one word to the other
//    does not make them conflict.
// 3. Each move joins two words. Each matrix instruction joins word n of its operand C with word n of its result
//    D. These pairs of words are processed in the order of their expected number of executions. For each pair,
//    the classes of the two words are merged, unless words of the same slot conflict: the smaller class is laid
//    over aligned slots of the larger class.
// 4. Words are renamed to their slots, and moves of a register to itself are removed.

#include "models/compiler/merge_groups.h"

#include <algorithm>
#include <cmath>

#include "models/compiler/analyses/liveness.h"
#include "models/compiler/analyses/sparse_set.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/analyses/variables.h"
#include "models/compiler/rewrite.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

constexpr int kOutside = -1;

bool is_move(const Instruction& i) {
  return i.op == Opcode::mov && i.num_src == 1 && i.num_dst == 1 && i.src[0].is_reg() && i.dst[0].is_reg() &&
         i.src[0].words() == i.dst[0].words();
}

class Merger {
 public:
  explicit Merger(isa::Program& program)
      : program_(program), flow_(program), variables_(find_variables(program, RegisterClass::general)) {}

  void run() {
    number_words();
    find_conflicts();
    find_pairs();
    for (const Pair& pair : pairs_) merge(pair.a, pair.b);
    rename();
  }

 private:
  struct Pair {
    int a, b;
    double weight;
  };
  struct Slot {
    std::vector<int> words;
    BitSet conflicts;
  };
  struct Class {
    std::vector<Slot> slots;
    bool group = false;
  };
  struct Place {
    int merged = kOutside;
    int slot = 0;
  };

  // Assigns consecutive numbers to the words of matrix operands, and to the words that moves connect to
  // them.
  void number_words() {
    std::vector<int> parent(program_.registers);
    for (std::size_t w = 0; w < parent.size(); ++w) parent[w] = static_cast<int>(w);
    const auto root = [&parent](std::uint32_t w) {
      auto r = static_cast<int>(w);
      while (parent[static_cast<std::size_t>(r)] != r)
        r = parent[static_cast<std::size_t>(r)] =
            parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(r)])];
      return r;
    };
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
      parent[static_cast<std::size_t>(root(a))] = root(b);
    };
    for (std::uint32_t w = 0; w < program_.registers; ++w)
      if (variables_.of[w] >= 0) join(w, variables_.first[static_cast<std::size_t>(variables_.of[w])]);
    for (const Instruction& i : program_.code)
      if (is_move(i))
        for (int w = 0; w < i.src[0].words(); ++w)
          join(i.src[0].reg.value + static_cast<std::uint32_t>(w),
               i.dst[0].reg.value + static_cast<std::uint32_t>(w));
    std::vector<bool> matters(program_.registers, false), group(variables_.size.size(), false);
    const auto note = [&](const Operand& o) {
      if (!o.is_reg()) return;
      matters[static_cast<std::size_t>(root(o.reg.value))] = true;
      group[static_cast<std::size_t>(variables_.of[o.reg.value])] = true;
    };
    for (const Instruction& i : program_.code) {
      if (i.unit != isa::UnitClass::matrix) continue;
      for (const Operand& o : i.sources()) note(o);
      for (const Operand& o : i.destinations()) note(o);
    }
    number_.assign(program_.registers, kOutside);
    for (std::size_t v = 0; v < variables_.size.size(); ++v) {
      const std::uint32_t first = variables_.first[v];
      if (!matters[static_cast<std::size_t>(root(first))]) continue;
      Class& of = classes_.emplace_back();
      of.group = group[v];
      for (std::uint32_t w = first; w < first + variables_.size[v]; ++w) {
        number_[w] = static_cast<int>(words_.size());
        places_.push_back({static_cast<int>(classes_.size()) - 1, static_cast<int>(w - first)});
        of.slots.push_back({{number_[w]}, BitSet()});
        words_.push_back(w);
      }
    }
  }

  void find_conflicts() {
    const LiveSets live_sets(program_, flow_);
    for (Class& c : classes_)
      for (Slot& slot : c.slots) slot.conflicts = BitSet(words_.size());
    SparseSet live(words_.size());
    for (const int b : flow_.order()) {
      const auto& block = flow_.block(b);
      live.clear();
      for (std::size_t w = 0; w < words_.size(); ++w)
        if (live_sets.word_after(block.end - 1, words_[w])) live.insert(w);
      for (std::uint32_t n = block.end; n-- > block.first;) note_conflicts(program_.code[n], live);
    }
  }

  void note_conflicts(const Instruction& i, SparseSet& live) {
    const bool moves = is_move(i);
    int written = 0;
    for_each_written_word(i, [&](std::uint32_t w) {
      const int d = number_[w];
      const int copied = moves ? number_[i.src[0].reg.value + static_cast<std::uint32_t>(written)] : kOutside;
      ++written;
      if (d == kOutside) return;
      for (const std::uint32_t l : live.members())
        if (static_cast<int>(l) != copied) conflict(d, static_cast<int>(l));
      for_each_written_word(i, [&](std::uint32_t other) {
        if (number_[other] != kOutside) conflict(d, number_[other]);
      });
    });
    const auto each = [this](std::uint32_t w, auto&& f) {
      if (number_[w] != kOutside) f(static_cast<std::size_t>(number_[w]));
    };
    if (writes_all_active_lanes(i))
      for_each_written_word(i, [&](std::uint32_t w) { each(w, [&](std::size_t m) { live.erase(m); }); });
    for_each_read_word(i, [&](std::uint32_t w) { each(w, [&](std::size_t m) { live.insert(m); }); });
  }

  void conflict(int a, int b) {
    if (a == b) return;
    slot_of(a).conflicts.set(static_cast<std::size_t>(b));
    slot_of(b).conflicts.set(static_cast<std::size_t>(a));
  }
  Slot& slot_of(int word) {
    const Place& place = places_[static_cast<std::size_t>(word)];
    return classes_[static_cast<std::size_t>(place.merged)].slots[static_cast<std::size_t>(place.slot)];
  }

  void find_pairs() {
    for (std::size_t n = 0; n < program_.code.size(); ++n) {
      const Instruction& i = program_.code[n];
      const double weight = std::pow(10.0, std::min(flow_.block(flow_.block_of(n)).loop_depth, 8));
      if (is_move(i)) add_pairs(i.dst[0], i.src[0], weight);
      constexpr std::size_t kAccumulator = 2;
      if (i.unit == isa::UnitClass::matrix && i.dst[0].words() == i.src[kAccumulator].words())
        add_pairs(i.dst[0], i.src[kAccumulator], weight / 2);
    }
    std::stable_sort(pairs_.begin(), pairs_.end(),
                     [](const Pair& x, const Pair& y) { return x.weight > y.weight; });
  }

  void add_pairs(const Operand& a, const Operand& b, double weight) {
    for (int w = 0; w < a.words(); ++w) {
      const int x = number_[a.reg.value + static_cast<std::uint32_t>(w)];
      const int y = number_[b.reg.value + static_cast<std::uint32_t>(w)];
      if (x != kOutside && y != kOutside) pairs_.push_back({x, y, weight});
    }
  }

  void merge(int a, int b) {
    Place at = places_[static_cast<std::size_t>(a)], from = places_[static_cast<std::size_t>(b)];
    if (at.merged == from.merged) return;
    if (classes_[static_cast<std::size_t>(at.merged)].slots.size() <
        classes_[static_cast<std::size_t>(from.merged)].slots.size())
      std::swap(at, from);
    Class& into = classes_[static_cast<std::size_t>(at.merged)];
    Class& small = classes_[static_cast<std::size_t>(from.merged)];
    const int first = at.slot - from.slot, size = static_cast<int>(small.slots.size());
    if (!into.group && !small.group) return;
    if (first < 0 || first % size != 0 || first + size > static_cast<int>(into.slots.size())) return;
    for (std::size_t s = 0; s < small.slots.size(); ++s)
      for (const int word : small.slots[s].words)
        if (into.slots[static_cast<std::size_t>(first) + s].conflicts.test(static_cast<std::size_t>(word)))
          return;
    for (std::size_t s = 0; s < small.slots.size(); ++s) {
      Slot& slot = into.slots[static_cast<std::size_t>(first) + s];
      slot.conflicts.merge(small.slots[s].conflicts);
      for (const int word : small.slots[s].words) {
        slot.words.push_back(word);
        places_[static_cast<std::size_t>(word)] = {at.merged, first + static_cast<int>(s)};
      }
    }
    into.group = true;
    small.slots.clear();
  }

  // Replaces each register word by the first word of its slot. The first words of all slots of a class
  // belong to one variable (the largest variable that was merged), so their numbers are consecutive.
  void rename() {
    const auto map = [this](Operand& o) {
      if (o.is_reg() && number_[o.reg.value] != kOutside)
        o.reg = RegId(words_[static_cast<std::size_t>(slot_of(number_[o.reg.value]).words.front())]);
    };
    std::vector<bool> removed(program_.code.size(), false);
    for (std::size_t n = 0; n < program_.code.size(); ++n) {
      Instruction& i = program_.code[n];
      for (Operand& o : i.sources()) map(o);
      for (Operand& o : i.destinations()) map(o);
      removed[n] = is_move(i) && i.src[0].reg == i.dst[0].reg;
      if (i.op == Opcode::mov && !i.src[0].is_reg()) i.overhead = false;
    }
    remove_instructions(program_, removed);
  }

  isa::Program& program_;
  ControlFlow flow_;
  Variables variables_;
  std::vector<int> number_;  // for each register word: its index in words_, or kOutside
  std::vector<std::uint32_t> words_;
  std::vector<Place> places_;
  std::vector<Class> classes_;
  std::vector<Pair> pairs_;
};

}  // namespace

void merge_groups(isa::Program& program) {
  const bool any = std::any_of(program.code.begin(), program.code.end(),
                               [](const Instruction& i) { return i.unit == isa::UnitClass::matrix; });
  if (any) Merger(program).run();
}

}  // namespace heddle::compiler
