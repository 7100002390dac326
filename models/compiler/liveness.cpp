#include "models/compiler/liveness.h"

#include <algorithm>

#include "models/compiler/use_def.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

// set = what is live before the instruction, given what is live after it.
void step_backward(const Instruction& i, std::size_t words, BitSet& set) {
  if (writes_all_active_lanes(i)) {
    for_each_written_word(i, [&](std::uint32_t w) { set.reset(w); });
    for_each_written_predicate(i, [&](std::uint32_t p) { set.reset(words + p); });
  }
  for_each_read_word(i, [&](std::uint32_t w) { set.set(w); });
  for_each_read_predicate(i, [&](std::uint32_t p) { set.set(words + p); });
}

void gather_block(const isa::Program& program, const BasicBlock& block, std::size_t words, BitSet& use,
                  BitSet& kill) {
  for (std::uint32_t n = block.end; n-- > block.first;) {
    const Instruction& i = program.code[n];
    if (writes_all_active_lanes(i)) {
      for_each_written_word(i, [&](std::uint32_t w) { kill.set(w); });
      for_each_written_predicate(i, [&](std::uint32_t p) { kill.set(words + p); });
    }
    step_backward(i, words, use);
  }
}

}  // namespace

std::vector<BitSet> solve_backward(const ControlFlow& flow, const std::vector<BitSet>& use,
                                   const std::vector<BitSet>& kill) {
  std::vector<BitSet> in = use;
  std::vector<BitSet> out(use.size(), use.empty() ? BitSet() : use[0]);
  for (BitSet& o : out) o.clear();
  std::vector<bool> queued(use.size(), true);
  std::vector<int> work;  // a stack; post-order first, so that successors come before their predecessors
  for (const int b : flow.order()) work.push_back(b);
  while (!work.empty()) {
    const auto b = static_cast<std::size_t>(work.back());
    work.pop_back();
    queued[b] = false;
    for (const int s : flow.block(static_cast<int>(b)).successors)
      out[b].merge(in[static_cast<std::size_t>(s)]);
    BitSet live = out[b];
    live.subtract(kill[b]);
    if (!in[b].merge(live)) continue;
    for (const int p : flow.block(static_cast<int>(b)).predecessors) {
      if (queued[static_cast<std::size_t>(p)] || !flow.block(p).reachable) continue;
      queued[static_cast<std::size_t>(p)] = true;
      work.push_back(p);
    }
  }
  // A block whose in set grew after its predecessor was done has queued it again, so `out` is complete for
  // reachable blocks; unreachable ones stay empty.
  for (const int b : flow.order())
    for (const int s : flow.block(b).successors)
      out[static_cast<std::size_t>(b)].merge(in[static_cast<std::size_t>(s)]);
  return out;
}

LiveSets::LiveSets(const isa::Program& program, const ControlFlow& flow)
    : words_(program.registers), universe_(std::size_t{program.registers} + program.predicates) {
  const auto blocks = static_cast<std::size_t>(flow.size());
  std::vector<BitSet> use(blocks, BitSet(universe_)), kill(blocks, BitSet(universe_));
  for (std::size_t b = 0; b < blocks; ++b)
    gather_block(program, flow.block(static_cast<int>(b)), words_, use[b], kill[b]);
  std::vector<BitSet> out = solve_backward(flow, use, kill);

  block_in_.resize(blocks);
  after_.resize(program.code.size());
  block_of_.resize(program.code.size());
  is_first_.assign(program.code.size(), false);
  for (std::size_t b = 0; b < blocks; ++b) {
    const BasicBlock& block = flow.block(static_cast<int>(b));
    BitSet live = std::move(out[b]);
    for (std::uint32_t n = block.end; n-- > block.first;) {
      after_[n] = live;
      block_of_[n] = static_cast<int>(b);
      step_backward(program.code[n], words_, live);
    }
    is_first_[block.first] = true;
    block_in_[b] = std::move(live);
  }
}

int LiveSets::count(const BitSet& set, std::size_t low, std::size_t high) {
  int n = 0;
  set.for_each([&](std::size_t i) { n += i >= low && i < high; });
  return n;
}

int LiveSets::max_words() const {
  int most = 0;
  for (std::size_t i = 0; i < after_.size(); ++i)
    most = std::max({most, words_live_before(i), count(after(i), 0, words_)});
  return most;
}

int LiveSets::max_predicates() const {
  int most = 0;
  for (std::size_t i = 0; i < after_.size(); ++i)
    most = std::max({most, predicates_live_before(i), count(after(i), words_, universe_)});
  return most;
}

WarpLiveSets::WarpLiveSets(const isa::Program& program, const ControlFlow& flow, const LiveSets& thread,
                           const Divergence& divergence)
    : LiveSets(thread), waiting_(static_cast<std::size_t>(flow.size()), BitSet(thread.universe())) {
  for (int b = 0; b < flow.size(); ++b) {
    if (!divergence.splits(b)) continue;
    const Instruction& branch = program.code[flow.block(b).end - 1];
    const int meet = branch.reconvergence == isa::kNoTarget
                         ? kNoBlock
                         : flow.block_of(static_cast<std::size_t>(branch.reconvergence));
    // While lanes are on one side, others wait at the start of the other side or where the sides meet.
    for (const int side : flow.block(b).successors) {
      BitSet elsewhere(universe_);
      for (const int other : flow.block(b).successors)
        if (other != side) elsewhere.merge(block_in_[static_cast<std::size_t>(other)]);
      if (meet != kNoBlock) elsewhere.merge(block_in_[static_cast<std::size_t>(meet)]);
      for (const int inside : flow.reachable_without(side, meet))
        waiting_[static_cast<std::size_t>(inside)].merge(elsewhere);
    }
  }
  for (int b = 0; b < flow.size(); ++b) {
    const BitSet& others = waiting_[static_cast<std::size_t>(b)];
    if (others.empty()) continue;
    block_in_[static_cast<std::size_t>(b)].merge(others);
    for (std::uint32_t n = flow.block(b).first; n < flow.block(b).end; ++n) after_[n].merge(others);
  }
}

bool WarpLiveSets::dies_at(const isa::Program& program, std::size_t i, std::uint32_t word) const {
  if (waiting(block_of_[i]).test(word)) return false;
  bool overwritten = false;
  if (writes_all_active_lanes(program.code[i]))
    for_each_written_word(program.code[i], [&](std::uint32_t w) { overwritten = overwritten || w == word; });
  return overwritten || !after(i).test(word);
}

}  // namespace heddle::compiler
