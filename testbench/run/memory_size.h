#pragma once

// Checks whether the memory of a configuration was made for as many SMs as the GPU has.

#include <string>

#include "models/gpu/gpu_parameters.h"

namespace heddle::run {

/// Returns a warning if the memory was made for far fewer SMs than the GPU has, otherwise an empty text.
std::string memory_size_warning(const GpuParameters& gpu);

}  // namespace heddle::run
