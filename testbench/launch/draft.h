#pragma once

// A launch file for a kernel, with "?" where only the user knows.

#include <string>

#include "models/ptx/module.h"

namespace heddle::launch {

/// `ptx`: the path that the file names. Throws Error for a kernel that is not supported.
std::string draft_launch(const ptx::Module& module, const std::string& mangled_kernel,
                         const std::string& ptx);

}  // namespace heddle::launch
