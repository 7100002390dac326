#include "models/compiler/analyses/liveness.h"

#include <algorithm>

#include "models/compiler/analyses/split_regions.h"
#include "models/compiler/analyses/use_def.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

// Calls f(member) for each register word or predicate that the instruction overwrites in all active lanes.
template <class F>
void for_each_kill(const Instruction& i, std::size_t words, F&& f) {
  if (!writes_all_active_lanes(i)) return;
  for_each_written_word(i, [&](std::uint32_t w) { f(std::size_t{w}); });
  for_each_written_predicate(i, [&](std::uint32_t p) { f(words + p); });
}

template <class F>
void for_each_read(const Instruction& i, std::size_t words, F&& f) {
  for_each_read_word(i, [&](std::uint32_t w) { f(std::size_t{w}); });
  for_each_read_predicate(i, [&](std::uint32_t p) { f(words + p); });
}

std::vector<BlockAccesses> gather(const isa::Program& program, const ControlFlow& flow, std::size_t words,
                                  std::size_t universe) {
  std::vector<BlockAccesses> blocks(static_cast<std::size_t>(flow.size()));
  std::vector<int> killed_in(universe, kNoBlock), exposed_in(universe, kNoBlock);
  for (int b = 0; b < flow.size(); ++b) {
    BlockAccesses& of = blocks[static_cast<std::size_t>(b)];
    for (std::uint32_t n = flow.block(b).first; n < flow.block(b).end; ++n) {
      for_each_read(program.code[n], words, [&](std::size_t m) {
        if (killed_in[m] == b || exposed_in[m] == b) return;
        exposed_in[m] = b;
        of.exposed.push_back(static_cast<std::uint32_t>(m));
      });
      for_each_kill(program.code[n], words, [&](std::size_t m) {
        if (killed_in[m] == b) return;
        killed_in[m] = b;
        of.killed.push_back(static_cast<std::uint32_t>(m));
      });
    }
  }
  return blocks;
}

std::size_t universe_of(const isa::Program& program) {
  return std::size_t{program.registers} + program.predicates;
}

}  // namespace

LiveSets::LiveSets(const isa::Program& program, const ControlFlow& flow)
    : words_(program.registers),
      universe_(universe_of(program)),
      flow_(flow, universe_, gather(program, flow, words_, universe_)) {
  for (int b = 0; b < flow.size(); ++b) {
    block_end_.push_back(flow.block(b).end);
    block_of_.insert(block_of_.end(), flow.block(b).end - flow.block(b).first, b);
  }
  std::vector<std::vector<Access>> by_member(universe_);
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const auto access = [&](std::size_t m) -> Access& {
      auto& list = by_member[m];
      if (list.empty() || list.back().instruction != n) list.push_back({static_cast<std::uint32_t>(n)});
      return list.back();
    };
    for_each_read(program.code[n], words_, [&](std::size_t m) { access(m).reads = true; });
    for_each_kill(program.code[n], words_, [&](std::size_t m) { access(m).kills = true; });
  }
  for (const auto& list : by_member) {
    first_access_.push_back(static_cast<std::uint32_t>(accesses_.size()));
    accesses_.insert(accesses_.end(), list.begin(), list.end());
  }
  first_access_.push_back(static_cast<std::uint32_t>(accesses_.size()));
  count(program, flow);
}

bool LiveSets::thread_live_from(std::size_t i, int block, std::size_t member) const {
  const auto begin = accesses_.begin() + first_access_[member],
             end = accesses_.begin() + first_access_[member + 1];
  const auto next =
      std::lower_bound(begin, end, i, [](const Access& a, std::size_t at) { return a.instruction < at; });
  if (next != end && next->instruction < block_end_[static_cast<std::size_t>(block)]) return next->reads;
  return flow_.live_out(block, member);
}

LiveSets::Counts LiveSets::count(const BitSet& set) const {
  const std::size_t words = set.count_below(flow_.bits_below(words_));
  return {static_cast<int>(words), static_cast<int>(set.count() - words)};
}

void LiveSets::count(const isa::Program& program, const ControlFlow& flow) {
  before_.assign(program.code.size(), {});
  most_ = {};
  std::vector<int> known_in(universe_, kNoBlock);
  std::vector<bool> live(universe_, false);
  for (int b = 0; b < flow.size(); ++b) {
    BitSet out = flow_.out(b);
    if (!waiting_.empty()) out.merge(waiting_[static_cast<std::size_t>(b)]);
    Counts counts = count(out);
    const auto note = [&] {
      most_.words = std::max(most_.words, counts.words);
      most_.predicates = std::max(most_.predicates, counts.predicates);
    };
    const auto change = [&](std::size_t m, bool to) {
      if (waits(b, m)) return;
      const bool was = known_in[m] == b ? live[m] : flow_.live_out(b, m);
      known_in[m] = b;
      live[m] = to;
      if (was != to) (m < words_ ? counts.words : counts.predicates) += to ? 1 : -1;
    };
    note();
    for (std::uint32_t n = flow.block(b).end; n-- > flow.block(b).first;) {
      for_each_kill(program.code[n], words_, [&](std::size_t m) { change(m, false); });
      for_each_read(program.code[n], words_, [&](std::size_t m) { change(m, true); });
      before_[n] = counts;
      note();
    }
  }
}

WarpLiveSets::WarpLiveSets(const isa::Program& program, const ControlFlow& flow, const LiveSets& thread,
                           const Divergence& divergence)
    : LiveSets(thread) {
  waiting_.assign(static_cast<std::size_t>(flow.size()), BitSet(flow_.bits()));
  std::vector<BitSet> brought(waiting_.size() * SplitRegions::kRemembered);
  SplitRegions regions(program, flow);
  for (const int b : regions.outer_first()) {
    if (!divergence.splits(b)) continue;
    const Instruction& branch = program.code[flow.block(b).end - 1];
    const int meet = flow.meeting_of(branch);
    for (const int side : flow.block(b).successors) {
      BitSet elsewhere(flow_.bits());
      for (const int other : flow.block(b).successors)
        if (other != side) elsewhere.merge(flow_.in(other));
      if (meet != kNoBlock) elsewhere.merge(flow_.in(meet));
      regions.merge(b, side, meet, elsewhere, waiting_, brought);
    }
  }
  count(program, flow);
}

bool WarpLiveSets::dies_at(const isa::Program& program, std::size_t i, std::uint32_t word) const {
  if (waits(block_of_[i], word)) return false;
  bool overwritten = false;
  if (writes_all_active_lanes(program.code[i]))
    for_each_written_word(program.code[i], [&](std::uint32_t w) { overwritten = overwritten || w == word; });
  return overwritten || !live_after(i, word);
}

}  // namespace heddle::compiler
