#pragma once

// Fills the structure cudaDeviceProp, and returns device attributes.

#include <optional>

#include "testbench/cudart/device.h"

namespace heddle::cudart {

void write_properties(void* properties, const Device& device, int cuda);

/// Returns a device attribute; nothing for an unknown number. `attribute`: a number cudaDevAttr...; the
/// numbers CU_DEVICE_ATTRIBUTE_... are the same.
std::optional<int> attribute_of(const Device& device, int attribute);

}  // namespace heddle::cudart
