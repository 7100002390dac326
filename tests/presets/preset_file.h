#pragma once

// Reads a preset file in configs/gpu, as a tree of JSON values and as parameters.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/gpu/gpu_parameters.h"

namespace heddle::presets {

const std::vector<std::string>& names();

ConfigNode tree_of(const std::string& preset);
GpuParameters parameters_of(const std::string& preset);

/// Returns the paths of values that have neither a source nor the mark "assumed". Leaves out the values of
/// the keys "name" and "description".
std::vector<std::string> without_origin(const ConfigNode& preset);

/// Returns the paths of parameters that the preset does not set, and whose default has no source: parameters
/// of the GPU, of its scheduler and of its memory model.
std::vector<std::string> left_to_defaults(const ConfigNode& preset);

}  // namespace heddle::presets
