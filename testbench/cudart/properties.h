#pragma once

// Fills cudaDeviceProp and returns device attributes.

#include <optional>

#include "testbench/cudart/device.h"

namespace heddle::cudart {

/// Fills a cudaDeviceProp in the layout of CUDA 11, 12 or 13.
void write_properties(void* properties, const Device& device, int cuda);

/// Returns a device attribute (cudaDevAttr...; CU_DEVICE_ATTRIBUTE_... has the same numbers); nothing for an
/// unknown number.
std::optional<int> attribute_of(const Device& device, int attribute);

}  // namespace heddle::cudart
