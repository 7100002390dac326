#pragma once

// Checks whether a configuration's memory system has a size (parameter made_for_sms) that fits the number of
// SMs.

#include <string>

#include "models/gpu/gpu_parameters.h"

namespace heddle::run {

/// Returns a warning if the memory system was sized for far fewer SMs than the GPU has, otherwise an empty
/// text.
std::string memory_size_warning(const GpuParameters& gpu);

}  // namespace heddle::run
