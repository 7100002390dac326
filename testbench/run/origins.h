#pragma once

// Values with their sources: presets and experiments may write {"value": 4, "source": "..."} instead of 4.

#include "models/core/config_node.h"

namespace heddle::run {

/// Returns the tree with plain values, without sources and assumptions.
ConfigNode without_origins(ConfigNode node);

}  // namespace heddle::run
