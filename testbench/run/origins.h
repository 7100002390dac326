#pragma once

// Where values come from stands beside them in presets and experiments: {"value": 4, "source": "..."}.

#include "models/core/config_node.h"

namespace heddle::run {

/// The values alone, without the sources and assumptions beside them.
ConfigNode without_origins(ConfigNode node);

}  // namespace heddle::run
