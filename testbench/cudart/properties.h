#pragma once

// cudaDeviceProp and device attributes.

#include <optional>

#include "testbench/cudart/device.h"

namespace heddle::cudart {

/// Fills a cudaDeviceProp as CUDA 11, 12 or 13 lays it out.
void write_properties(void* properties, const Device& device, int cuda);

/// cudaDevAttr...; CU_DEVICE_ATTRIBUTE_... have the same numbers.
std::optional<int> attribute_of(const Device& device, int attribute);

}  // namespace heddle::cudart
