#pragma once

// Reads GPU presets from configs/gpu, or from the user's files. A preset may extend the preset that its key
// `like` names.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// Returns a complete preset. `name`: a preset's name, or a path relative to the file that contains the name.
/// Adds the names of all files that were read to `read_from`. `passes` receives the compiler passes that the
/// preset names. Throws Error for unknown names, and if presets extend each other in a circle.
ConfigNode read_gpu_preset(const ConfigNode& name, std::vector<std::string>& read_from,
                           std::vector<ConfigNode>* passes = nullptr);

}  // namespace heddle::run
