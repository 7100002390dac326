#pragma once

// Facts about the SM that a compiler pass may use.

#include "models/gpu/gpu.h"
#include "models/ptx/module.h"
#include "testbench/launch/launch_run.h"

namespace heddle::run {

/// Returns the warps of the program's kernel that an otherwise empty SM holds. A kernel is compiled once, so
/// this is the maximum over the file's launches.
int resident_warps(Gpu& gpu, const launch::LaunchFile& file, const ptx::Module& module,
                   const isa::Program& program);

}  // namespace heddle::run
