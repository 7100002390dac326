#pragma once

// GPU presets: files of configs/gpu, or of the user's. A preset may be `like` another one, on which it is laid.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// The whole preset of this name or file, as a tree of `gpu`. A relative file stands beside the file that names it.
/// The files that were read join `read_from`. Throws Error for unknown names and presets in a circle.
ConfigNode read_gpu_preset(const ConfigNode& name, std::vector<std::string>& read_from);

}  // namespace heddle::run
