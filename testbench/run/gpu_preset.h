#pragma once

// Reads GPU presets, of configs/gpu or of the user. A preset may extend another one, named by the key `like`.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// Returns a complete preset. `name`: a name, or a path relative to the file that contains it. Adds the files
/// that it reads to `read_from`. `passes` receives the compiler passes that the preset names. Throws Error
/// for unknown names and circles.
ConfigNode read_gpu_preset(const ConfigNode& name, std::vector<std::string>& read_from,
                           std::vector<ConfigNode>* passes = nullptr);

}  // namespace heddle::run
