#pragma once

// Regions of the program within which upper levels of the register hierarchy may pass values. A region is a
// strand or, if values may not cross basic blocks, the part of a strand in one block. A region is entered
// only at its first instruction.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct Region {
  std::vector<std::uint32_t> code;             ///< instructions, ascending; the first one is the entry
  std::vector<std::vector<int>> successors;    ///< within the region, by position in `code`
  std::vector<std::vector<int>> predecessors;  ///< within the region, by position in `code`
  /// Instructions that may follow in other regions (or in this one, entered again), by position in `code`.
  std::vector<std::vector<std::uint32_t>> exits;
};

/// Returns the strand number of each instruction, counted from 0 in program order of the first instructions;
/// -1 for unreachable code. Throws Error if the pass "strands" has not run.
std::vector<int> number_strands(const isa::Program& program, const ControlFlow& flow);

/// `across_blocks`: values may pass forward branches (Gebhart 2012, 5.5).
std::vector<Region> find_regions(const isa::Program& program, const ControlFlow& flow, bool across_blocks);

}  // namespace heddle::compiler
