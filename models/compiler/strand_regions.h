#pragma once

// Finds regions of a program. Within a region, upper levels of the register hierarchy may pass values. A region
// is a strand, or the part of a strand in one basic block. Control flow enters a region only at its first
// instruction.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct Region {
  /// Indices of the region's instructions, ascending.
  std::vector<std::uint32_t> code;
  std::vector<std::vector<int>> successors;
  std::vector<std::vector<int>> predecessors;
  std::vector<std::vector<std::uint32_t>> exits;
};

/// Returns the strand number of each instruction, or -1 for unreachable code. Throws Error if the pass
/// "strands" has not run.
std::vector<int> number_strands(const isa::Program& program, const ControlFlow& flow);

/// Returns the regions of the program. `across_blocks`: if true, each strand is a region, because upper
/// levels may pass values over forward branches (Gebhart 2012, 5.5). If false, each strand is divided at the
/// boundaries of basic blocks.
std::vector<Region> find_regions(const isa::Program& program, const ControlFlow& flow, bool across_blocks);

}  // namespace heddle::compiler
