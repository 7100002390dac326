#pragma once

// Reads GPU presets: files of configs/gpu or of the user. A preset may extend another preset, named by the
// key `like`.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// Returns the complete preset with this name or path, as a tree of the parameters under `gpu`. A relative
/// path is relative to the file that names it. Adds the files that were read to `read_from`. Throws Error for
/// unknown names and for presets that extend each other in a circle.
ConfigNode read_gpu_preset(const ConfigNode& name, std::vector<std::string>& read_from);

}  // namespace heddle::run
