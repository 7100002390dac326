#pragma once

// Reads the first members of a configuration file.

#include <string>

#include "models/core/config_node.h"

namespace heddle {

/// Parses a file up to the first root member named `member`, if the member's value ends on its line. The rest
/// of the file is not read. Throws Error as parse_config_file does.
ConfigNode parse_config_head(const std::string& path, const std::string& member);

}  // namespace heddle
