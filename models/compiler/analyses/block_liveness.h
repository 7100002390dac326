#pragma once

// Liveness at the boundaries of basic blocks. A value can be live at a block's start only if some block reads
// it before overwriting it (completely, in all active lanes). Only such values have a bit in the sets, so
// registers that are live within a single block cost little.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"

namespace heddle::compiler {

/// Accesses of a basic block to the members of the analysis (registers and predicates). `exposed`: members
/// that the block reads before it overwrites them. `killed`: members that the block overwrites.
struct BlockAccesses {
  std::vector<std::uint32_t> exposed;
  std::vector<std::uint32_t> killed;
};

class BlockLiveness {
 public:
  /// Computes liveness for the blocks of `flow`. `blocks` has one entry per block, and members are numbered
  /// from 0 to universe - 1. The result is the least solution of in[b] = exposed[b] | (out[b] - killed[b]),
  /// where out[b] is the union of in[s] over the successors s of b.
  BlockLiveness(const ControlFlow& flow, std::size_t universe, const std::vector<BlockAccesses>& blocks);

  bool live_out(int block, std::size_t member) const {
    if (bit_of_[member] < 0) return false;
    for (const int s : flow_successors_[static_cast<std::size_t>(block)])
      if (in_[static_cast<std::size_t>(s)].test(static_cast<std::size_t>(bit_of_[member]))) return true;
    return false;
  }

  /// Returns the members that are live at the start of a block. Bit n of the set stands for member_of(n), and
  /// member_of() ascends with n.
  const BitSet& in(int block) const { return in_[static_cast<std::size_t>(block)]; }
  BitSet out(int block) const;
  int bit_of(std::size_t member) const {
    return bit_of_[member];
  }  ///< bit of the member in the sets; -1 = never live at the start of a block
  std::size_t member_of(std::size_t bit) const { return member_of_[bit]; }
  std::size_t bits() const { return member_of_.size(); }
  /// Number of bits that stand for members less than `member`.
  std::size_t bits_below(std::size_t member) const;

  /// Returns how many block visits the iteration needed. In usual programs, this is a few times the number of
  /// blocks.
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
