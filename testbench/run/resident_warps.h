#pragma once

// Computes the number of warps per SM, which some compiler passes need.

#include "models/gpu/gpu.h"
#include "models/ptx/module.h"
#include "testbench/launch/launch_run.h"

namespace heddle::run {

/// Returns how many warps of the kernel fit into an empty SM. This is the maximum over the kernel's launches,
/// because a kernel is compiled once for all its launches.
int resident_warps(Gpu& gpu, const launch::LaunchFile& file, const ptx::Module& module,
                   const isa::Program& program);

}  // namespace heddle::run
