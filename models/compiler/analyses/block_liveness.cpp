#include "models/compiler/analyses/block_liveness.h"

#include <algorithm>

namespace heddle::compiler {

BlockLiveness::BlockLiveness(const ControlFlow& flow, std::size_t universe,
                             const std::vector<BlockAccesses>& blocks) {
  for (int b = 0; b < flow.size(); ++b) flow_successors_.push_back(flow.block(b).successors);
  name_bits(universe, blocks);
  solve(flow, blocks);
}

void BlockLiveness::name_bits(std::size_t universe, const std::vector<BlockAccesses>& blocks) {
  bit_of_.assign(universe, -1);
  for (const BlockAccesses& b : blocks)
    for (const std::uint32_t m : b.exposed) bit_of_[m] = 0;
  for (std::size_t m = 0; m < universe; ++m) {
    if (bit_of_[m] < 0) continue;
    bit_of_[m] = static_cast<int>(member_of_.size());
    member_of_.push_back(static_cast<std::uint32_t>(m));
  }
}

// Computes the live sets by iteration over the blocks in post-order. After the first sweep, a sweep visits
// only blocks with a successor whose set changed.
void BlockLiveness::solve(const ControlFlow& flow, const std::vector<BlockAccesses>& blocks) {
  in_.assign(blocks.size(), BitSet(member_of_.size()));
  std::vector<bool> queued(blocks.size(), true);
  const auto bit = [&](std::uint32_t m) { return static_cast<std::size_t>(bit_of_[m]); };
  BitSet live(member_of_.size());
  const auto visit = [&](int b) {
    ++visits_;
    live.clear();
    for (const int s : flow.block(b).successors) live.merge(in_[static_cast<std::size_t>(s)]);
    for (const std::uint32_t m : blocks[static_cast<std::size_t>(b)].killed)
      if (bit_of_[m] >= 0) live.reset(bit(m));
    for (const std::uint32_t m : blocks[static_cast<std::size_t>(b)].exposed) live.set(bit(m));
    return in_[static_cast<std::size_t>(b)].merge(live);
  };
  for (bool again = true; again;) {
    again = false;
    for (std::size_t at = flow.order().size(); at-- > 0;) {
      const int b = flow.order()[at];
      if (!queued[static_cast<std::size_t>(b)]) continue;
      queued[static_cast<std::size_t>(b)] = false;
      if (!visit(b)) continue;
      for (const int p : flow.block(b).predecessors) {
        if (!flow.block(p).reachable) continue;
        queued[static_cast<std::size_t>(p)] = true;
        again = true;
      }
    }
  }
  for (int b = 0; b < flow.size(); ++b)
    if (!flow.block(b).reachable) visit(b);
}

std::size_t BlockLiveness::bits_below(std::size_t member) const {
  return static_cast<std::size_t>(std::lower_bound(member_of_.begin(), member_of_.end(), member) -
                                  member_of_.begin());
}

BitSet BlockLiveness::out(int block) const {
  BitSet set(member_of_.size());
  for (const int s : flow_successors_[static_cast<std::size_t>(block)])
    set.merge(in_[static_cast<std::size_t>(s)]);
  return set;
}

}  // namespace heddle::compiler
