#pragma once

// A file of configs/gpu as the tests see it: the tree as written, and the parameters read from it.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/gpu/gpu_parameters.h"

namespace heddle::presets {

/// The presets that the project promises.
const std::vector<std::string>& names();

ConfigNode tree_of(const std::string& preset);
GpuParameters parameters_of(const std::string& preset);

/// Key paths of values that carry neither a source nor an assumption, or an empty one. The preset's name and
/// description are texts, not values.
std::vector<std::string> without_origin(const ConfigNode& preset);

/// Key paths of parameters that the preset leaves to their defaults, which carry no origin: of the GPU, and
/// of the scheduler and memory model that it picks.
std::vector<std::string> left_to_defaults(const ConfigNode& preset);

}  // namespace heddle::presets
