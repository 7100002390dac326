#pragma once

// Finds the registers whose long-latency result may still be outstanding when the warp reaches an
// instruction, given where strands end. The analysis follows the execution order of the warp (warp_flow.h)
// instead of the paths of single lanes, because the scoreboard tracks registers per warp.

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

  /// Registers with an outstanding result before the first instruction (entering) and after the last
  /// instruction (leaving) of a block.
  const BitSet& entering(int block) const { return in_[static_cast<std::size_t>(block)]; }
  const BitSet& leaving(int block) const { return out_[static_cast<std::size_t>(block)]; }

  /// Returns true if instruction i reads or writes a register with an outstanding result (in `pending`) and
  /// must therefore wait.
  static bool waits(const isa::Instruction& i, const BitSet& pending);
  /// Updates `pending`, the registers with an outstanding result, from before instruction i to after it.
  static void step(const isa::Instruction& i, BitSet& pending);

 private:
  std::vector<BitSet> in_, out_;
};

/// Returns the last instruction of the block before instruction `end` that is issued (is not metadata), or
/// nothing.
std::optional<std::size_t> last_issued(const isa::Program& program, const BasicBlock& block, std::size_t end);

}  // namespace heddle::compiler
