#pragma once

// Which values are live where blocks begin and end. Only values that some block reads before it has written
// them (in full, in all active lanes) can be live there; only these have a bit in the sets, so that programs
// of very many registers, nearly all of which live within a block, cost little.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"

namespace heddle::compiler {

/// Effect of a block on values from outside: members read before they are written, members overwritten.
struct BlockAccesses {
  std::vector<std::uint32_t> exposed;
  std::vector<std::uint32_t> killed;
};

class BlockLiveness {
 public:
  /// `blocks`: one entry a block of `flow`; members are 0 .. universe - 1. The least solution of
  /// in[b] = exposed[b] | (out[b] - killed[b]), out[b] = union of in[s] over the successors s.
  BlockLiveness(const ControlFlow& flow, std::size_t universe, const std::vector<BlockAccesses>& blocks);

  bool live_out(int block, std::size_t member) const {
    if (bit_of_[member] < 0) return false;
    for (const int s : flow_successors_[static_cast<std::size_t>(block)])
      if (in_[static_cast<std::size_t>(s)].test(static_cast<std::size_t>(bit_of_[member]))) return true;
    return false;
  }

  /// The sets themselves: bit n stands for member member_of(n), ascending.
  const BitSet& in(int block) const { return in_[static_cast<std::size_t>(block)]; }
  BitSet out(int block) const;
  int bit_of(std::size_t member) const { return bit_of_[member]; }  ///< -1: never live where a block begins
  std::size_t member_of(std::size_t bit) const { return member_of_[bit]; }
  std::size_t bits() const { return member_of_.size(); }
  std::size_t bits_below(std::size_t member) const;  ///< bits of members less than this one

  /// Blocks looked at until nothing changed: a few times their number in any usual program.
  std::uint64_t visits() const { return visits_; }

 private:
  void name_bits(std::size_t universe, const std::vector<BlockAccesses>& blocks);
  void solve(const ControlFlow& flow, const std::vector<BlockAccesses>& blocks);

  std::vector<int> bit_of_;
  std::vector<std::uint32_t> member_of_;
  std::vector<BitSet> in_;
  std::vector<std::vector<int>> flow_successors_;
  std::uint64_t visits_ = 0;
};

}  // namespace heddle::compiler
