#pragma once

// Computes how often instructions read two registers together. With these counts, passes place two registers in
// one row of a bank, so that one access reads both (CORF, doi 10.1145/3297858.3304026).

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct ReadTogether {
  std::uint32_t a = 0, b = 0;
  double weight = 0;
  bool operator==(const ReadTogether&) const = default;
};

/// Returns all pairs of registers that an instruction reads together, in descending order of weight. The two
/// words of a 64-bit operand are such a pair.
std::vector<ReadTogether> read_together(const isa::Program& program, const ControlFlow& flow);

/// Assigns each register to a side of a row (true = left). Keeps the total weight of pairs on the same side
/// small. If the graph of pairs cannot be two-coloured, the result is a local optimum, because the problem is
/// NP-hard (bipartite edge frustration).
std::vector<bool> choose_sides(std::uint32_t registers, const std::vector<ReadTogether>& edges);

/// Returns the partner of each register: the register in the same row, or RegisterHint::kNoPartner. Pairs
/// that are read together most often are chosen first.
std::vector<std::uint16_t> choose_pairs(std::uint32_t registers, const std::vector<ReadTogether>& edges);

}  // namespace heddle::compiler
