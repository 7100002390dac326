#pragma once

// A file of configs/gpu: the tree as written, and the parameters read from it.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/gpu/gpu_parameters.h"

namespace heddle::presets {

/// Returns the presets that Heddle provides.
const std::vector<std::string>& names();

ConfigNode tree_of(const std::string& preset);
GpuParameters parameters_of(const std::string& preset);

/// Returns key paths of values without a source or assumption, or with an empty one. Name and description of
/// the preset do not count.
std::vector<std::string> without_origin(const ConfigNode& preset);

/// Returns key paths of parameters of the GPU, its scheduler and its memory model that the preset leaves at
/// their defaults, which have no source.
std::vector<std::string> left_to_defaults(const ConfigNode& preset);

}  // namespace heddle::presets
