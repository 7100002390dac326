#pragma once

// First part of a configuration file, for readers that need no more.

#include <string>

#include "models/core/config_node.h"

namespace heddle {

/// The members of a file up to the first of this name, if its value fits the line; what follows is not looked at.
/// Throws Error as parse_config_file does.
ConfigNode parse_config_head(const std::string& path, const std::string& member);

}  // namespace heddle
