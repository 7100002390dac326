#pragma once

// Checks of annotated programs that do not depend on how the passes place strand ends and operands.

#include <cstdint>
#include <functional>
#include <optional>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/compiler/predict_accesses.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Returns the first instruction, if any, at which the warp may wait for a long-latency result although an
/// instruction that may have issued before it does not end a strand.
std::optional<std::size_t> find_mid_strand_wait(const isa::Program& program, const ControlFlow& flow,
                                                const WarpFlow& warp);

/// Returns predict_accesses() of the program with every operand in the main file, the baseline of the levels.
LevelAccesses predict_flat_accesses(const isa::Program& program,
                                    const std::function<std::uint64_t(std::size_t)>& executions = {});

}  // namespace heddle::compiler
