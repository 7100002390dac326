#pragma once

// What a compiler pass may ask about the SM that its program runs on.

#include "models/gpu/gpu.h"
#include "models/ptx/module.h"
#include "testbench/launch/launch_run.h"

namespace heddle::run {

/// Warps of the program's kernel that an SM holds at a time if it holds nothing else: the most over the
/// launches of the file (a kernel is compiled once).
int resident_warps(Gpu& gpu, const launch::LaunchFile& file, const ptx::Module& module,
                   const isa::Program& program);

}  // namespace heddle::run
