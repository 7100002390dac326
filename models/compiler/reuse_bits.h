#pragma once

// Reuse bits of source operands. A read with the bit leaves the register in the reuse cache of the operand
// stage, at its bank and operand position. The next read at that bank and position finds it there if it names
// the same register, and ends the entry unless it has the bit, too (Huerta 2025, section 5.3). The cache does
// not follow writes to the register.

#include <cstddef>
#include <optional>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/isa/latency_table.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Banks and operand positions of the reuse cache.
inline constexpr std::uint32_t kReuseBanks = 2;
inline constexpr std::size_t kReusePositions = 3;

/// Returns true if the reuse bit of source operand `slot` has an effect: a register operand of one or two
/// words, of an instruction of fixed latency, at a position of the cache.
bool can_reuse(const isa::Instruction& i, std::size_t slot, const isa::LatencyTable& table);

/// Sets the reuse bit of each operand whose register the next read at its bank and position, within the block,
/// reads again, if nothing between writes the register.
void set_reuse_bits(isa::Program& program, const ControlFlow& flow, const isa::LatencyTable& table);

struct StaleReuse {
  std::size_t instruction = 0;
  std::uint32_t word = 0;
};
/// Returns the first instruction that may find an old value in the reuse cache, on any path of the warp.
std::optional<StaleReuse> find_stale_reuse(const isa::Program& program, const ControlFlow& flow,
                                           const WarpFlow& warp, const isa::LatencyTable& table);

}  // namespace heddle::compiler
