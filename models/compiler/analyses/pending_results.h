#pragma once

// Which registers may still wait for a long-latency result when the warp comes to an instruction, given the
// strand ends in the program. Follows the warp's own order (warp_flow.h): the scoreboard knows warps, not
// lanes.

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

  /// Before the first (after the last) instruction of a block.
  const BitSet& entering(int block) const { return in_[static_cast<std::size_t>(block)]; }
  const BitSet& leaving(int block) const { return out_[static_cast<std::size_t>(block)]; }

  /// Instruction i reads or writes a register of `pending`, so it has to wait for it.
  static bool waits(const isa::Instruction& i, const BitSet& pending);
  /// pending becomes what is pending after i.
  static void step(const isa::Instruction& i, BitSet& pending);

 private:
  std::vector<BitSet> in_, out_;
};

/// The last instruction of the block that is issued (no metadata), searching backward from `end` (exclusive);
/// nothing if there is none.
std::optional<std::size_t> last_issued(const isa::Program& program, const BasicBlock& block, std::size_t end);

}  // namespace heddle::compiler
