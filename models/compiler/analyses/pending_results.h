#pragma once

// Registers that may still wait for a long-latency result when the warp reaches an instruction, given the
// strand ends in the program. The analysis follows the execution order of the warp (warp_flow.h), because the
// scoreboard tracks warps, not lanes.

#include <cstddef>
#include <optional>
#include <vector>

#include "models/compiler/analyses/bit_set.h"
#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

class PendingResults {
 public:
  PendingResults(const isa::Program& program, const ControlFlow& flow, const WarpFlow& warp);

  /// Returns the pending registers before the first and after the last instruction of a block.
  const BitSet& entering(int block) const { return in_[static_cast<std::size_t>(block)]; }
  const BitSet& leaving(int block) const { return out_[static_cast<std::size_t>(block)]; }

  /// True if instruction i reads or writes a register of `pending` and therefore waits.
  static bool waits(const isa::Instruction& i, const BitSet& pending);
  /// Updates `pending` from before to after instruction i.
  static void step(const isa::Instruction& i, BitSet& pending);

 private:
  std::vector<BitSet> in_, out_;
};

/// Returns the last issued instruction (no metadata) of the block before `end`; nothing if there is none.
std::optional<std::size_t> last_issued(const isa::Program& program, const BasicBlock& block, std::size_t end);

}  // namespace heddle::compiler
