#pragma once

// Facts about the SM that a compiler pass may use.

#include "models/gpu/gpu.h"
#include "models/ptx/module.h"
#include "testbench/launch/launch_run.h"

namespace heddle::run {

/// Warps of the program's kernel that an otherwise empty SM holds: the most over the file's launches, since a
/// kernel is compiled once.
int resident_warps(Gpu& gpu, const launch::LaunchFile& file, const ptx::Module& module,
                   const isa::Program& program);

}  // namespace heddle::run
