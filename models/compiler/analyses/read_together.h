#pragma once

// How often instructions read two registers at once: what the passes go by that lay registers into rows so
// that one access reads both (CORF, doi 10.1145/3297858.3304026).

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct ReadTogether {
  std::uint32_t a = 0, b = 0;  ///< architected registers, a < b
  double weight = 0;           ///< expected executions, 10 for 1 a level of loop
  bool operator==(const ReadTogether&) const = default;
};

/// Every two registers that an instruction reads, the words of a 64-bit operand among them; the greatest
/// weight first, then by number.
std::vector<ReadTogether> read_together(const isa::Program& program, const ControlFlow& flow);

/// By register: at the left (true) or at the right, so that little weight has both of its registers on one
/// side. None at all for a graph that can be two-coloured; else a local optimum: no register alone would be
/// better off on the other side (the least is the bipartite edge frustration, NP-hard).
std::vector<bool> choose_sides(std::uint32_t registers, const std::vector<ReadTogether>& edges);

/// By register: the register that it shares a row with, or RegisterHint::kNoPartner. Each has at most one;
/// greedy, largest weight first.
std::vector<std::uint16_t> choose_pairs(std::uint32_t registers, const std::vector<ReadTogether>& edges);

}  // namespace heddle::compiler
