#pragma once

// The pieces of the program within which upper levels of the register hierarchy may pass values: strands, or,
// where values may not cross basic blocks, the parts of strands in one block. Every region is entered at its
// first instruction alone.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct Region {
  std::vector<std::uint32_t> code;             ///< instructions, ascending; the first is the entry
  std::vector<std::vector<int>> successors;    ///< within the region, by position in `code`
  std::vector<std::vector<int>> predecessors;  ///< the same
  /// Instructions of other regions (or of this one, entered again) that may follow, by position in `code`.
  std::vector<std::vector<std::uint32_t>> exits;
};

/// Strand number of every instruction, counted from 0 in program order of their first instructions; -1 for
/// unreachable code. Needs the pass "strands"; throws Error without.
std::vector<int> number_strands(const isa::Program& program, const ControlFlow& flow);

/// `across_blocks`: values may pass forward branches (Gebhart 2012, 5.5).
std::vector<Region> find_regions(const isa::Program& program, const ControlFlow& flow, bool across_blocks);

}  // namespace heddle::compiler
