#pragma once

// A preset file in configs/gpu: its text as a tree, and the parameters that are read from it.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/gpu/gpu_parameters.h"

namespace heddle::presets {

const std::vector<std::string>& names();

ConfigNode tree_of(const std::string& preset);
GpuParameters parameters_of(const std::string& preset);

/// Returns the paths of values without a source or an assumption; name and description are excepted.
std::vector<std::string> without_origin(const ConfigNode& preset);

/// Returns the paths of parameters of the GPU, its scheduler and its memory model that the preset leaves at
/// defaults without a source.
std::vector<std::string> left_to_defaults(const ConfigNode& preset);

}  // namespace heddle::presets
