#pragma once

// Finds the regions of a program within which upper levels of the register hierarchy may pass values. If
// values may cross basic blocks, a region is a strand. Otherwise, a region is the part of a strand in one
// basic block. A region is entered only at its first instruction.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct Region {
  /// Indices of the region's instructions, ascending; the first one is the entry.
  std::vector<std::uint32_t> code;
  /// For each position in `code`: the positions in `code` of the instructions that may follow within the
  /// region.
  std::vector<std::vector<int>> successors;
  /// For each position in `code`: the positions in `code` of the instructions that may precede within the
  /// region.
  std::vector<std::vector<int>> predecessors;
  /// Instructions outside the region that may follow, by position in `code`. The region's own entry is
  /// included if the region may be entered again.
  std::vector<std::vector<std::uint32_t>> exits;
};

/// Returns the strand number of each instruction, or -1 for unreachable code. Strands are numbered from 0 in
/// the order of their first instructions. Throws Error if the pass "strands" has not run.
std::vector<int> number_strands(const isa::Program& program, const ControlFlow& flow);

/// Returns the regions of the program. `across_blocks`: values may pass forward branches (Gebhart 2012, 5.5),
/// so a region is a whole strand.
std::vector<Region> find_regions(const isa::Program& program, const ControlFlow& flow, bool across_blocks);

}  // namespace heddle::compiler
