#pragma once

// Divergence analysis: which values may differ between the lanes of a warp, and therefore which branches may
// split it. Conservative: "uniform" is proved, "divergent" is not.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/split_regions.h"
#include "models/isa/program.h"

namespace heddle::compiler {

class Divergence {
 public:
  /// Needs Instruction::reconvergence of all guarded branches.
  Divergence(const isa::Program& program, const ControlFlow& flow);

  /// True if the branch at the end of `block` may split a warp.
  bool splits(int block) const { return splits_[static_cast<std::size_t>(block)]; }
  /// True if lanes of the warp that have not exited may be elsewhere while `block` executes.
  bool partial(int block) const { return partial_[static_cast<std::size_t>(block)]; }
  bool word_divergent(std::uint32_t word) const { return divergent_.test(word); }

 private:
  bool reads_divergence(const isa::Operand& operand) const;
  bool mark_values(const isa::Program& program, const ControlFlow& flow);
  bool mark_branches(const isa::Program& program, const ControlFlow& flow, SplitRegions& regions);

  std::size_t words_;
  BitSet divergent_;
  std::vector<bool> splits_;
  std::vector<bool> partial_;
};

}  // namespace heddle::compiler
