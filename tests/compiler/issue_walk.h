#pragma once

// Walks one path of a warp through a program with control bits and keeps time as a core without a scoreboard
// does: an independent statement of what the bits must guarantee, for tests of check_control_bits.

#include <cstddef>
#include <optional>
#include <string>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/isa/program.h"

namespace heddle::compiler::test {

struct WalkFault {
  std::size_t instruction = 0;
  std::string what;
};

/// Walks at most `steps` instructions along random edges of the warp's order. Results of variable latency
/// come after random times. Returns the first read or write that meets an outstanding result.
std::optional<WalkFault> walk_randomly(const isa::Program& program, const ControlFlow& flow,
                                       const WarpFlow& warp, std::uint64_t seed, int steps);

}  // namespace heddle::compiler::test
