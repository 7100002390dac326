#pragma once

// Records the values that kernels read from clocks, or from registers that name the SM and the warp slot. The
// untimed reference uses the values that the timed launch has read.

#include <memory>
#include <string>

#include "models/gpu/gpu_parameters.h"
#include "models/isa/launch.h"

namespace heddle::run {

/// Returns a record for a launch of the compiled program `timed`; nullptr if the program reads no such value.
std::shared_ptr<isa::MachineReads> record_for(const isa::Program& timed, const GpuParameters& gpu);

/// Returns the reason why differing outputs of `launch` cannot be compared. The reference has executed the
/// launch. The reason: warps of the launch wait for other threads, so the number of clock reads depends on
/// the order of execution. Returns an empty text if outputs can be compared.
std::string why_incomparable(const isa::KernelLaunch& launch);
/// Why outputs cannot be compared if all words that differ depend on old values that atomics returned
/// (reference::AtomicValues::explain).
inline constexpr const char* kOrderOfAtomics =
    "every differing word follows old values of atomics, whose order CUDA does not define";

}  // namespace heddle::run
