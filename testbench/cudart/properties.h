#pragma once

// Fills cudaDeviceProp and returns device attributes.

#include <optional>

#include "testbench/cudart/device.h"

namespace heddle::cudart {

void write_properties(void* properties, const Device& device, int cuda);

/// Returns a device attribute (cudaDevAttr...; CU_DEVICE_ATTRIBUTE_... has the same numbers); nothing for an
/// unknown number.
std::optional<int> attribute_of(const Device& device, int attribute);

}  // namespace heddle::cudart
