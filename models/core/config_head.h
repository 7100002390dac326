#pragma once

// Reads only the first members of a configuration file.

#include <string>

#include "models/core/config_node.h"

namespace heddle {

/// Parses a configuration file up to the first member `member` of its root object. The member's value must
/// end on the line where it begins. The rest of the file is not read. Throws the same errors as
/// parse_config_file().
ConfigNode parse_config_head(const std::string& path, const std::string& member);

}  // namespace heddle
