#include "models/compiler/region_values.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "models/compiler/analyses/long_latency.h"
#include "models/compiler/analyses/use_def.h"

namespace heddle::compiler {

using isa::Instruction;

namespace {

constexpr std::size_t kMostWords = 8;

bool covers(std::uint32_t reg, int words, std::uint32_t word) {
  return word >= reg && word < reg + static_cast<std::uint32_t>(words);
}

}  // namespace

RegionValues::RegionValues(const isa::Program& program, const Region& region, const LiveSets& live)
    : region_(region), registers_(program.registers) {
  collect(program);
  follow(live);
  join_webs();
}

void RegionValues::collect(const isa::Program& program) {
  for (std::size_t k = 0; k < region_.code.size(); ++k) {
    const Instruction& i = program.code[region_.code[k]];
    const int first = static_cast<int>(writes_.size());
    const bool able = i.unit != isa::UnitClass::control;
    for (std::uint8_t o = 0; !i.metadata && o < i.num_src; ++o)
      if (i.src[o].is_reg())
        reads_.push_back({static_cast<int>(k),
                          o,
                          i.src[o].reg.value,
                          i.src[o].words(),
                          able,
                          RegionRead::Kind::mixed,
                          {},
                          -1});
    for (std::uint8_t o = 0; !i.metadata && o < i.num_dst; ++o)
      if (i.dst[o].is_reg())
        writes_.push_back({static_cast<int>(k), o, i.dst[o].reg.value, i.dst[o].words(),
                           !writes_all_active_lanes(i), able && !is_long_latency(i), false, -1});
    write_range_.emplace_back(first, static_cast<int>(writes_.size()));
    for (int w = first; w < static_cast<int>(writes_.size()); ++w)
      for (int v = first; v < w; ++v)
        if (overlaps(w, write(v).reg, write(v).words))
          writes_[static_cast<std::size_t>(w)].upper_able = writes_[static_cast<std::size_t>(v)].upper_able =
              false;
  }
  reached_.resize(writes_.size());
}

bool RegionValues::writes_at(int position, std::uint32_t reg, int words) const {
  const auto [first, last] = writes_of(position);
  for (int w = first; w < last; ++w)
    if (overlaps(w, reg, words)) return true;
  return false;
}

// Computes which writes reach which reads of a region (a strand, or its part in one block). Bit kMostWords *
// w + k of a set stands for word k of write w. The last bits stand for the values that words have before the
// region.
void RegionValues::follow(const LiveSets& live) {
  const std::size_t base = kMostWords * writes_.size(), count = region_.code.size();
  std::vector<std::vector<std::size_t>> members(registers_);
  for (std::size_t w = 0; w < writes_.size(); ++w)
    for (int k = 0; k < writes_[w].words; ++k)
      members[writes_[w].reg + static_cast<std::uint32_t>(k)].push_back(kMostWords * w +
                                                                        static_cast<std::size_t>(k));
  const auto step = [&](std::size_t k, BitSet& set) {
    const auto [first, last] = write_range_[k];
    for (int w = first; w < last; ++w) {
      const RegionWrite& write = writes_[static_cast<std::size_t>(w)];
      for (int n = 0; n < write.words; ++n) {
        const std::uint32_t word = write.reg + static_cast<std::uint32_t>(n);
        if (!write.guarded) {
          for (const std::size_t m : members[word]) set.reset(m);
          set.reset(base + word);
        }
        set.set(kMostWords * static_cast<std::size_t>(w) + static_cast<std::size_t>(n));
      }
    }
  };
  std::vector<std::size_t> head(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<int>& from = region_.predecessors[k];
    const bool follows = k > 0 && from.size() == 1 && from[0] == static_cast<int>(k) - 1 &&
                         region_.successors[k - 1].size() == 1;
    head[k] = follows ? head[k - 1] : k;
  }
  std::map<std::size_t, BitSet> in, out;
  for (std::size_t k = 0; k < count; ++k)
    if (head[k] == k) in.emplace(k, BitSet(base + registers_));
  out = in;
  for (std::size_t word = 0; word < registers_; ++word) in.at(0).set(base + word);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [first, entering] : in) {
      for (const int p : region_.predecessors[first])
        entering.merge(out.at(head[static_cast<std::size_t>(p)]));
      BitSet set = entering;
      for (std::size_t k = first; k < count && head[k] == first; ++k) step(k, set);
      changed = out.at(first).merge(set) || changed;
    }
  }
  std::size_t read = 0;
  BitSet set;
  for (std::size_t k = 0; k < count; ++k) {
    if (head[k] == k) set = in.at(k);
    for (; read < reads_.size() && reads_[read].at == static_cast<int>(k); ++read) classify(read, set);
    step(k, set);
    for (const std::uint32_t next : region_.exits[k]) note_leaving(set, live.before(next));
  }
}

void RegionValues::note_leaving(const BitSet& reaching, const LiveSets::Point& needed) {
  reaching.for_each([&](std::size_t m) {
    if (m >= kMostWords * writes_.size()) return;
    RegionWrite& write = writes_[m / kMostWords];
    if (needed.test(write.reg + m % kMostWords)) write.leaves = true;
  });
}

void RegionValues::classify(std::size_t r, const BitSet& reaching) {
  const std::size_t base = kMostWords * writes_.size();
  RegionRead& read = reads_[r];
  std::array<std::vector<int>, kMostWords> by_word;
  bool whole = true;
  int entering = 0;
  reaching.for_each([&](std::size_t m) {
    if (m >= base) {
      entering += covers(read.reg, read.words, static_cast<std::uint32_t>(m - base));
      return;
    }
    const RegionWrite& write = writes_[m / kMostWords];
    const std::uint32_t word = write.reg + static_cast<std::uint32_t>(m % kMostWords);
    if (!covers(read.reg, read.words, word)) return;
    by_word[word - read.reg].push_back(static_cast<int>(m / kMostWords));
    whole = whole && write.upper_able && write.reg == read.reg && write.words == read.words;
  });
  for (int word = 0; word < read.words; ++word) {
    const std::vector<int>& of_word = by_word[static_cast<std::size_t>(word)];
    whole = whole && of_word == by_word[0];
    read.writes.insert(read.writes.end(), of_word.begin(), of_word.end());
  }
  std::sort(read.writes.begin(), read.writes.end());
  read.writes.erase(std::unique(read.writes.begin(), read.writes.end()), read.writes.end());
  for (const int w : read.writes) reached_[static_cast<std::size_t>(w)].push_back(static_cast<int>(r));
  if (read.writes.empty() && entering == read.words)
    read.kind = RegionRead::Kind::entering;
  else if (read.upper_able && entering == 0 && whole && !read.writes.empty())
    read.kind = RegionRead::Kind::own;
}

void RegionValues::join_webs() {
  std::vector<int> parent(writes_.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int w) {
    while (parent[static_cast<std::size_t>(w)] != w) w = parent[static_cast<std::size_t>(w)];
    return w;
  };
  for (const RegionRead& read : reads_) {
    if (read.kind != RegionRead::Kind::own) continue;
    for (const int w : read.writes)
      parent[static_cast<std::size_t>(std::max(root(w), root(read.writes[0])))] =
          std::min(root(w), root(read.writes[0]));
  }
  for (std::size_t w = 0; w < writes_.size(); ++w) {
    const int r = root(static_cast<int>(w));
    writes_[w].web = r == static_cast<int>(w) ? webs_++ : writes_[static_cast<std::size_t>(r)].web;
  }
  for (RegionRead& read : reads_)
    if (read.kind == RegionRead::Kind::own) read.web = writes_[static_cast<std::size_t>(read.writes[0])].web;
}

}  // namespace heddle::compiler
