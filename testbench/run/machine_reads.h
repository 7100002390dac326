#pragma once

// Records the values that kernels read from clocks, and from registers that name the SM and the warp slot.
// The untimed reference replays these values.

#include <memory>
#include <string>

#include "models/gpu/gpu_parameters.h"
#include "models/isa/launch.h"

namespace heddle::run {

/// Returns an object that records values which a timed launch of the program reads: values of clocks, and of
/// registers that name the SM or the warp slot. Returns nullptr if the program reads none of them.
std::shared_ptr<isa::MachineReads> record_for(const isa::Program& timed, const GpuParameters& gpu);

/// Returns the reason why a difference between the outputs of `launch` and those of the reference proves no
/// error; empty if it does. Reason: warps wait for other threads, so the number of clock reads depends on the
/// order of execution. Call after the reference has executed `launch`.
std::string why_incomparable(const isa::KernelLaunch& launch);
/// Reason for outputs that cannot be compared because all differing words depend on values that atomics
/// returned (reference::AtomicValues::explain).
inline constexpr const char* kOrderOfAtomics =
    "every differing word follows old values of atomics, whose order CUDA does not define";

}  // namespace heddle::run
