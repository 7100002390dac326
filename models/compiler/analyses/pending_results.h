#pragma once

// Finds the registers whose long-latency result may still be outstanding when the warp reaches an
// instruction. Follows the order in which a warp executes both sides of a branch (warp_flow.h) instead of the
// path of one lane, because the scoreboard tracks registers per warp.

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

  const BitSet& entering(int block) const { return in_[static_cast<std::size_t>(block)]; }
  const BitSet& leaving(int block) const { return out_[static_cast<std::size_t>(block)]; }

  /// Returns true if instruction i must wait, because it reads or writes a register in `pending`, the set of
  /// registers with an outstanding result.
  static bool waits(const isa::Instruction& i, const BitSet& pending);
  static void step(const isa::Instruction& i, BitSet& pending);

 private:
  std::vector<BitSet> in_, out_;
};

/// Returns the last instruction of the block before `end` that is not metadata. Returns nothing if there is
/// none.
std::optional<std::size_t> last_issued(const isa::Program& program, const BasicBlock& block, std::size_t end);

}  // namespace heddle::compiler
