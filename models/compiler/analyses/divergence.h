#pragma once

// Divergence analysis: finds values that may differ between the lanes of a warp, and branches that may
// therefore split a warp. All other values are uniform: proved to be equal in all lanes.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/split_regions.h"
#include "models/isa/program.h"

namespace heddle::compiler {

class Divergence {
 public:
  /// Analyses the program. Instruction::reconvergence of all guarded branches must be set.
  Divergence(const isa::Program& program, const ControlFlow& flow);

  bool splits(int block) const { return splits_[static_cast<std::size_t>(block)]; }
  /// Returns true if some lanes of the warp may wait at another block while `block` executes. Lanes that have
  /// exited do not count.
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
