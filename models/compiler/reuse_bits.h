#pragma once

// Reuse bits of source operands. A read whose operand has a reuse bit stores the register's value in the
// reuse cache of the operand stage. The cache has one entry for each bank and operand position. If the next
// read at the same bank and position is of the same register, it takes the value from the cache. This next
// read then removes the value from the cache, unless its operand also has the bit (Huerta 2025, section 5.3).
// A write to the register does not update the cache.

#include <cstddef>
#include <optional>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/isa/latency_table.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Numbers of banks and of operand positions of the reuse cache.
inline constexpr std::uint32_t kReuseBanks = 2;
inline constexpr std::size_t kReusePositions = 3;

/// Returns true if the reuse bit of source operand `slot` has an effect. Conditions: the operand is a
/// register of one or two words, its instruction has a fixed latency, and the reuse cache has an entry for
/// the operand's position.
bool can_reuse(const isa::Instruction& i, std::size_t slot, const isa::LatencyTable& table);

/// Sets the reuse bits of all operands in the program. An operand gets the bit if two conditions hold within
/// its block: the next read at the same bank and position is of the same register, and no instruction between
/// the two reads writes this register.
void set_reuse_bits(isa::Program& program, const ControlFlow& flow, const isa::LatencyTable& table);

struct StaleReuse {
  std::size_t instruction = 0;
  std::uint32_t word = 0;
};
/// Returns the first instruction that may find an old value in the reuse cache, on any path of the warp.
std::optional<StaleReuse> find_stale_reuse(const isa::Program& program, const ControlFlow& flow,
                                           const WarpFlow& warp, const isa::LatencyTable& table);

}  // namespace heddle::compiler
