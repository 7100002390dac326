#pragma once

// Frequency with which instructions read two registers together, for passes that place registers in rows so
// that one access reads both (CORF, doi 10.1145/3297858.3304026).

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct ReadTogether {
  std::uint32_t a = 0, b = 0;  ///< architected registers, a < b
  double weight = 0;           ///< expected executions; each loop level multiplies by 10
  bool operator==(const ReadTogether&) const = default;
};

/// Returns all pairs of registers that an instruction reads, including the words of a 64-bit operand, in
/// descending order of weight, then by number.
std::vector<ReadTogether> read_together(const isa::Program& program, const ControlFlow& flow);

/// Returns the side by register: true = left, false = right. Minimises the weight of pairs on the same side.
/// The result is exact for graphs that can be two-coloured, otherwise a local optimum: moving any single
/// register gains nothing (the optimum, bipartite edge frustration, is NP-hard).
std::vector<bool> choose_sides(std::uint32_t registers, const std::vector<ReadTogether>& edges);

/// Returns the partner by register: the register that shares its row, or RegisterHint::kNoPartner. Chosen
/// greedily by weight, at most one partner each.
std::vector<std::uint16_t> choose_pairs(std::uint32_t registers, const std::vector<ReadTogether>& edges);

}  // namespace heddle::compiler
