#pragma once

// Kernels that read clocks, or where they run: the reference takes the values that the timed launch read.

#include <memory>
#include <string>

#include "models/gpu/gpu_parameters.h"
#include "models/isa/launch.h"

namespace heddle::run {

/// A record for a launch of the machine program `timed`; nullptr if nothing that it reads depends on the machine.
std::shared_ptr<isa::MachineReads> record_for(const isa::Program& timed, const GpuParameters& gpu);

/// The reason why differing outputs of `launch`, which the reference has executed, cannot be compared: warps wait for other
/// threads, so they read a clock more often in one order than in another. Empty if outputs can be compared.
std::string why_incomparable(const isa::KernelLaunch& launch);

}  // namespace heddle::run
