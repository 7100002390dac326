#pragma once

// Drafts a launch file for a kernel, with "?" for values that only the user knows.

#include <string>

#include "models/ptx/module.h"
#include "testbench/launch/captured_launch.h"
#include "testbench/launch/triton_metadata.h"

namespace heddle::launch {

/// Returns the draft of a launch file for a kernel. `ptx`: path of the PTX, as the draft states it.
/// `metadata`: Triton's metadata, or nullptr. Throws Error for an unsupported kernel.
std::string draft_launch(const ptx::Module& module, const std::string& mangled_kernel, const std::string& ptx,
                         const TritonMetadata* metadata = nullptr);

/// Returns the draft for a captured launch, with its values, grid, block and memory. If the captured memory
/// contains no addresses, buffers get no fixed addresses, and buffers whose addresses are no kernel parameter
/// are left out. `pages`: path of the captured memory, as the draft states it.
std::string draft_launch(const ptx::Module& module, const CapturedLaunch& captured, const std::string& ptx,
                         const std::string& pages);

}  // namespace heddle::launch
