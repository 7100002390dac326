#pragma once

// Presets and experiments state the origin of a value next to it: {"value": 4, "source": "..."}.

#include "models/core/config_node.h"

namespace heddle::run {

/// The values alone, without their sources and assumptions.
ConfigNode without_origins(ConfigNode node);

}  // namespace heddle::run
