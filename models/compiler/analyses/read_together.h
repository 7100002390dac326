#pragma once

// Computes how often instructions read two registers together. Passes use these numbers to place registers in
// rows of a bank so that one access reads both (CORF, doi 10.1145/3297858.3304026).

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct ReadTogether {
  std::uint32_t a = 0, b = 0;  ///< two architected registers that an instruction reads together, a < b
  double weight = 0;           ///< expected number of such reads; each loop level multiplies by 10
  bool operator==(const ReadTogether&) const = default;
};

/// Returns all pairs of registers that an instruction reads together, including the two words of a 64-bit
/// operand. The pairs are in descending order of weight, then in ascending order of register numbers.
std::vector<ReadTogether> read_together(const isa::Program& program, const ControlFlow& flow);

/// Assigns each register to one side of a row, so that registers that are read together get opposite sides.
/// Returns the side of each register: true = left, false = right. Minimises the total weight of pairs on the
/// same side. The result is optimal if the graph of pairs can be two-coloured. Otherwise, it is a local
/// optimum: moving any single register gains nothing. Finding the optimum (bipartite edge frustration) is
/// NP-hard.
std::vector<bool> choose_sides(std::uint32_t registers, const std::vector<ReadTogether>& edges);

/// Returns, for each register, the partner that shares its row, or RegisterHint::kNoPartner. Pairs are chosen
/// greedily by weight, and each register has at most one partner.
std::vector<std::uint16_t> choose_pairs(std::uint32_t registers, const std::vector<ReadTogether>& edges);

}  // namespace heddle::compiler
