#pragma once

// Reads only the beginning of a configuration file, up to one member of the root object.

#include <string>

#include "models/core/config_node.h"

namespace heddle {

/// Parses a configuration file only up to and including the line on which the root's member `member` begins.
/// The value of this member must end on the same line. Throws the same errors as parse_config_file().
ConfigNode parse_config_head(const std::string& path, const std::string& member);

}  // namespace heddle
