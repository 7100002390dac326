#pragma once

// Checks of the passes that do not depend on how the passes place strand ends and operands.

#include <cstdint>
#include <functional>
#include <optional>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/compiler/predict_accesses.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// The first instruction, if any, at which the warp may have to wait for a long-latency result although not
/// every instruction that it may have issued before it ends a strand.
std::optional<std::size_t> find_mid_strand_wait(const isa::Program& program, const ControlFlow& flow,
                                                const WarpFlow& warp);

/// predict_accesses() of the same program with every operand in main: what the levels are compared with.
LevelAccesses predict_flat_accesses(const isa::Program& program,
                                    const std::function<std::uint64_t(std::size_t)>& executions = {});

}  // namespace heddle::compiler
