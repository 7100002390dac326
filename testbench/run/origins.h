#pragma once

// Configuration values with their sources: {"value": 4, "source": "..."} in place of the plain value 4.

#include "models/core/config_node.h"

namespace heddle::run {

/// Returns the tree with each object {"value", "source"} replaced by its plain value.
ConfigNode without_origins(ConfigNode node);

}  // namespace heddle::run
