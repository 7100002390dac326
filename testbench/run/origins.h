#pragma once

// Origins of values: presets and experiments may write {"value": 4, "source": "..."} instead of 4.

#include "models/core/config_node.h"

namespace heddle::run {

/// Returns the tree with the values alone, without their sources and assumptions.
ConfigNode without_origins(ConfigNode node);

}  // namespace heddle::run
