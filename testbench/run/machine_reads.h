#pragma once

// Records the values that kernels read from clocks, and from registers that name the SM and the warp slot.
// The untimed reference replays these values.

#include <memory>
#include <string>

#include "models/gpu/gpu_parameters.h"
#include "models/isa/launch.h"

namespace heddle::run {

/// Returns a record for a launch of the compiled program; nullptr if the program reads no such value.
std::shared_ptr<isa::MachineReads> record_for(const isa::Program& timed, const GpuParameters& gpu);

/// Returns why differing outputs of `launch` cannot be compared; empty if they can. Cause: warps wait for
/// other threads, so the number of clock reads depends on the order of execution. The reference must have
/// executed `launch`.
std::string why_incomparable(const isa::KernelLaunch& launch);
/// Reason why outputs cannot be compared if all differing words depend on values that atomics returned
/// (reference::AtomicValues::explain).
inline constexpr const char* kOrderOfAtomics =
    "every differing word follows old values of atomics, whose order CUDA does not define";

}  // namespace heddle::run
