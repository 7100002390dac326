#pragma once

// Liveness at the boundaries of basic blocks. A live set has a bit for a value only if some block reads the
// value before overwriting it. A register that is live only within one block therefore needs no bit.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"

namespace heddle::compiler {

/// Accesses of a basic block to registers and predicates. `exposed`: registers and predicates that the block
/// reads before it overwrites them. `killed`: registers and predicates that the block overwrites in all active
/// lanes.
struct BlockAccesses {
  std::vector<std::uint32_t> exposed;
  std::vector<std::uint32_t> killed;
};

class BlockLiveness {
 public:
  /// Computes liveness. `blocks` has one element per block of `flow`. All register and predicate numbers in
  /// `blocks` are less than `universe`. The result is the least solution of in[b] = exposed[b] | (out[b] -
  /// killed[b]). Here, out[b] is the union of in[s] over the successors s of b.
  BlockLiveness(const ControlFlow& flow, std::size_t universe, const std::vector<BlockAccesses>& blocks);

  bool live_out(int block, std::size_t member) const {
    if (bit_of_[member] < 0) return false;
    for (const int s : flow_successors_[static_cast<std::size_t>(block)])
      if (in_[static_cast<std::size_t>(s)].test(static_cast<std::size_t>(bit_of_[member]))) return true;
    return false;
  }

  /// Registers or predicates that are live at the start of a block. Bit n of the set stands for the register
  /// or predicate with the number member_of(n).
  const BitSet& in(int block) const { return in_[static_cast<std::size_t>(block)]; }
  BitSet out(int block) const;
  int bit_of(std::size_t member) const { return bit_of_[member]; }
  std::size_t member_of(std::size_t bit) const { return member_of_[bit]; }
  std::size_t bits() const { return member_of_.size(); }
  std::size_t bits_below(std::size_t member) const;

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
