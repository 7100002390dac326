#pragma once

// Values with their sources: {"value": 4, "source": "..."} instead of 4.

#include "models/core/config_node.h"

namespace heddle::run {

/// Returns the tree with plain values.
ConfigNode without_origins(ConfigNode node);

}  // namespace heddle::run
