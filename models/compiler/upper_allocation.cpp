#include "models/compiler/upper_allocation.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace heddle::compiler {

using isa::Instruction;
using isa::OperandAnnotation;

bool CandidateRules::evaluate(Candidate& c) const {
  c.writes.clear();
  c.main_as_well.clear();
  if (c.reads.empty()) return false;
  if (c.fill >= 0 && !fills(c)) return false;
  c.words = values_.read(c.reads[0]).words;
  if (options_.level == isa::kLastResultLevel && c.words != 1) return false;
  if (c.fill < 0) {
    for (const int r : c.reads) {
      const std::vector<int>& from = values_.read(r).writes;
      c.writes.insert(c.writes.end(), from.begin(), from.end());
    }
    std::sort(c.writes.begin(), c.writes.end());
    c.writes.erase(std::unique(c.writes.begin(), c.writes.end()), c.writes.end());
  }
  bool any_main = false;
  for (const int w : c.writes) {
    bool needed = values_.write(w).leaves;
    for (const int r : values_.reached(w))
      needed = needed || !std::binary_search(c.reads.begin(), c.reads.end(), r);
    c.main_as_well.push_back(needed);
    any_main = any_main || needed;
  }
  if (any_main && !options_.main_as_well) return false;
  if (!reachable_units(c) || !occupy(c)) return false;
  weigh(c);
  return true;
}

// A candidate is a set of reads of one value that an upper level could serve. Its filling read is an earlier
// read from the main register file, which also copies the value into the upper level. Returns true if the
// filling read has no guard, and if each read of the candidate is in another instruction and reads the same
// value.
bool CandidateRules::fills(const Candidate& c) const {
  const RegionRead& fill = values_.read(c.fill);
  if (!fill.upper_able || at(fill.at).guard.present) return false;
  for (const int r : c.reads) {
    const RegionRead& read = values_.read(r);
    if (!read.upper_able || read.at == fill.at || read.words != fill.words || read.reg != fill.reg ||
        read.kind != fill.kind || read.writes != fill.writes)
      return false;
  }
  return true;
}

bool CandidateRules::reachable_units(const Candidate& c) const {
  if (!options_.shared_units) {
    for (const int r : c.reads)
      if (is_shared_unit(at(values_.read(r).at))) return false;
    for (const int w : c.writes)
      if (is_shared_unit(at(values_.write(w).at))) return false;
    if (c.fill >= 0 && is_shared_unit(at(values_.read(c.fill).at))) return false;
  }
  if (!options_.split) return true;
  const int slot = slot_of(c);
  for (const int r : c.reads)
    if (values_.read(r).operand != slot) return false;
  return slot < 3;
}

int CandidateRules::slot_of(const Candidate& c) const {
  return options_.split ? values_.read(c.reads[0]).operand : 0;
}

// Computes the instructions at which a candidate (a set of reads that an upper level could serve) occupies an
// entry of that level. Walks backwards from the candidate's reads to the read that fills the entry, or to the
// candidate's unguarded writes, which set all lanes of the entry. Returns false if a path leads back to the
// start of the region (the strand, or its part in one block) or passes another write of the register.
bool CandidateRules::occupy(Candidate& c) const {
  const Region& region = values_.region();
  c.occupied = BitSet(region.code.size());
  const int fill = c.fill < 0 ? -1 : values_.read(c.fill).at;
  std::vector<int> work;
  const auto need_before = [&](int position) {
    if (position == 0) return false;
    for (const int p : region.predecessors[static_cast<std::size_t>(position)]) {
      if (c.occupied.test(static_cast<std::size_t>(p))) continue;
      c.occupied.set(static_cast<std::size_t>(p));
      work.push_back(p);
    }
    return true;
  };
  for (const int r : c.reads)
    if (!need_before(values_.read(r).at)) return false;
  const RegionRead& any = values_.read(c.reads[0]);
  while (!work.empty()) {
    const int p = work.back();
    work.pop_back();
    if (p == fill) {
      if (values_.writes_at(p, any.reg, any.words)) return false;
      continue;
    }
    const auto [first, last] = values_.writes_of(p);
    bool stop = false;
    for (int w = first; w < last; ++w) {
      if (std::binary_search(c.writes.begin(), c.writes.end(), w)) {
        stop = stop || !values_.write(w).guarded;
      } else if (values_.overlaps(w, any.reg, any.words)) {
        return false;
      }
    }
    if (!stop && !need_before(p)) return false;
  }
  return true;
}

// Sets the score of a candidate (reads that an upper level could serve): the energy that it saves (Gebhart
// 2012, Fig. 10 and 13), divided by the number of instructions at which the candidate occupies its entry.
void CandidateRules::weigh(Candidate& c) const {
  double saved = 0;
  for (const int r : c.reads) {
    const bool shared = is_shared_unit(at(values_.read(r).at));
    saved += energy_.read(isa::kMainLevel, shared) - energy_.read(options_.level, shared);
  }
  for (std::size_t n = 0; n < c.writes.size(); ++n) {
    const bool shared = is_shared_unit(at(values_.write(c.writes[n]).at));
    saved -= energy_.write(options_.level, shared);
    if (!c.main_as_well[n]) saved += energy_.write(isa::kMainLevel, shared);
  }
  if (c.fill >= 0) saved -= energy_.write(options_.level, is_shared_unit(at(values_.read(c.fill).at)));
  c.saved_pj = saved * c.words;
  c.score = saved / static_cast<double>(std::max<std::size_t>(c.occupied.count(), 1));
}

Candidate CandidateRules::of_web(int web) const {
  Candidate c;
  for (std::size_t r = 0; r < values_.reads().size(); ++r)
    if (values_.reads()[r].web == web) c.reads.push_back(static_cast<int>(r));
  return c;
}

std::vector<Candidate> CandidateRules::of_fills(std::vector<int> reads) const {
  std::vector<Candidate> found;
  while (!reads.empty()) {
    Candidate c;
    std::vector<int> left;
    c.fill = reads.front();
    for (std::size_t n = 1; n < reads.size(); ++n) {
      if (values_.read(reads[n]).at == values_.read(c.fill).at) continue;
      Candidate one;
      one.fill = c.fill;
      one.reads = {reads[n]};
      (fills(one) && occupy(one) ? c.reads : left).push_back(reads[n]);
    }
    if (!c.reads.empty()) found.push_back(std::move(c));
    reads = std::move(left);
  }
  return found;
}

EntryTable::EntryTable(int entries, std::size_t positions, bool pairs_anywhere)
    : entries_(static_cast<std::size_t>(entries),
               Entry{BitSet(positions), BitSet(positions), BitSet(positions)}),
      pairs_anywhere_(pairs_anywhere) {}

// Returns true if an entry of the upper level is free for the candidate (reads that the level could serve). The
// last instruction that reads the entry's old value may also write its result to the entry, but may not copy a
// value from the main register file into it.
bool EntryTable::free(const Entry& entry, const RegionValues& values, const Candidate& c) {
  BitSet both = entry.occupied;
  both.intersect(c.occupied);
  if (!both.empty()) return false;
  for (const int r : c.reads)
    if (entry.filled.test(static_cast<std::size_t>(values.read(r).at))) return false;
  return c.fill < 0 || !entry.read.test(static_cast<std::size_t>(values.read(c.fill).at));
}

std::optional<Place> EntryTable::find(const RegionValues& values, const Candidate& c, int low,
                                      int high) const {
  const auto fits = [&](int e) { return e < high && free(entries_[static_cast<std::size_t>(e)], values, c); };
  for (int e = low; e < high; ++e) {
    if (!fits(e)) continue;
    if (c.words == 1) return Place{e};
    if (c.words > 2) {
      int word = 1;
      while (word < c.words && fits(e + word)) ++word;
      if (word == c.words) return Place{e};
      continue;
    }
    const int furthest = pairs_anywhere_ ? high - 1 : e + 1;
    for (int other = e + 1; other <= furthest; ++other)
      if (fits(other)) return Place{e, other - e - 1};
  }
  return std::nullopt;
}

int EntryTable::first_taken(std::size_t entry, const Candidate& c) const {
  BitSet taken = entries_[entry].occupied;
  taken.intersect(c.occupied);
  int first = std::numeric_limits<int>::max();
  taken.for_each([&](std::size_t at) { first = std::min(first, static_cast<int>(at)); });
  return first;
}

// Returns the position in the code up to which the table can hold the candidate, a value for an upper level.
// For each set of entries that could hold all words of the value, finds the first position at which an entry of
// the set holds another value. Returns the latest of these positions.
int EntryTable::first_conflict(const Candidate& c) const {
  const auto words = static_cast<std::size_t>(c.words);
  if (entries_.size() < words) return -1;
  std::vector<int> first(entries_.size());
  for (std::size_t e = 0; e < first.size(); ++e) first[e] = first_taken(e, c);
  int latest = -1;
  if (words > 2 || (words == 2 && !pairs_anywhere_)) {
    for (std::size_t e = 0; e + words <= first.size(); ++e)
      latest = std::max(latest, *std::min_element(first.begin() + static_cast<std::ptrdiff_t>(e),
                                                  first.begin() + static_cast<std::ptrdiff_t>(e + words)));
  } else {
    std::sort(first.begin(), first.end(), std::greater<>());
    latest = first[words - 1];
  }
  return latest == std::numeric_limits<int>::max() ? -1 : latest;
}

void EntryTable::take(const RegionValues& values, const Candidate& c, const Place& place) {
  for (int w = 0; w < c.words; ++w) {
    Entry& e = entries_[static_cast<std::size_t>(place.of(w))];
    e.occupied.merge(c.occupied);
    for (const int r : c.reads) e.read.set(static_cast<std::size_t>(values.read(r).at));
    if (c.fill >= 0) e.filled.set(static_cast<std::size_t>(values.read(c.fill).at));
  }
}

void annotate(isa::Program& program, const RegionValues& values, const Candidate& c, int level,
              const Place& at, int slot) {
  const auto place = [&](OperandAnnotation& a) {
    a.entry = static_cast<std::uint8_t>(at.entry);
    a.slot = static_cast<std::uint8_t>(level == isa::kOperandLevel ? at.between : slot);
  };
  const auto instruction = [&](int position) -> Instruction& {
    return program.code[values.region().code[static_cast<std::size_t>(position)]];
  };
  const std::uint8_t upper = isa::level_bit(static_cast<std::uint8_t>(level));
  for (std::size_t n = 0; n < c.writes.size(); ++n) {
    const RegionWrite& w = values.write(c.writes[n]);
    OperandAnnotation& a = instruction(w.at).dst[w.operand].annotation;
    a.write_levels =
        static_cast<std::uint8_t>(upper | (c.main_as_well[n] ? isa::level_bit(isa::kMainLevel) : 0));
    place(a);
  }
  for (const int r : c.reads) {
    OperandAnnotation& a = instruction(values.read(r).at).src[values.read(r).operand].annotation;
    a.read_level = static_cast<std::uint8_t>(level);
    place(a);
  }
  if (c.fill < 0) return;
  OperandAnnotation& a = instruction(values.read(c.fill).at).src[values.read(c.fill).operand].annotation;
  a.write_levels = upper;
  place(a);
}

void clear_levels(isa::Program& program) {
  const auto clear = [](OperandAnnotation& a) {
    a.read_level = isa::kMainLevel;
    a.write_levels = a.entry = a.slot = 0;
  };
  for (Instruction& i : program.code) {
    for (isa::Operand& o : i.sources()) clear(o.annotation);
    for (isa::Operand& o : i.destinations()) clear(o.annotation);
  }
}

}  // namespace heddle::compiler
