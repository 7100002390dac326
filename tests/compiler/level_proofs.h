#pragma once

// Checks annotated programs. The checks are independent of the compiler passes that set strand ends and the
// levels of operands.

#include <cstdint>
#include <functional>
#include <optional>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/compiler/predict_accesses.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Returns the first instruction at which the warp may wait for a long-latency result within a strand (the
/// instruction before it ends no strand). Nothing if there is none.
std::optional<std::size_t> find_mid_strand_wait(const isa::Program& program, const ControlFlow& flow,
                                                const WarpFlow& warp);

LevelAccesses predict_flat_accesses(const isa::Program& program,
                                    const std::function<std::uint64_t(std::size_t)>& executions = {});

}  // namespace heddle::compiler
