#pragma once

// Writes a launch file for a kernel, with "?" for values that only the user knows.

#include <string>

#include "models/ptx/module.h"
#include "testbench/launch/captured_launch.h"

namespace heddle::launch {

/// Returns the draft. `ptx`: the path that the file names. Throws Error for a kernel that is not supported.
std::string draft_launch(const ptx::Module& module, const std::string& mangled_kernel,
                         const std::string& ptx);

/// Does the same for a captured launch, whose values, shape and memory replace the "?". If its memory holds
/// no addresses, buffers have no fixed addresses, and buffers without a parameter are left out. `pages`: the
/// path that the file names.
std::string draft_launch(const ptx::Module& module, const CapturedLaunch& captured, const std::string& ptx,
                         const std::string& pages);

}  // namespace heddle::launch
