#pragma once

// Walks a warp along one path through a program with control bits, and counts cycles like a core without a
// scoreboard. The walk finds reads and writes that come too early, without the function check_control_bits.
// Tests of check_control_bits therefore use the walk as an independent check.

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

/// Walks at most `steps` instructions along a random path among those that a warp can take (`warp`). Results
/// of variable latency arrive after random times. Returns the first read or write that comes too early, while
/// the result of an earlier instruction is outstanding.
std::optional<WalkFault> walk_randomly(const isa::Program& program, const ControlFlow& flow,
                                       const WarpFlow& warp, std::uint64_t seed, int steps);

}  // namespace heddle::compiler::test
