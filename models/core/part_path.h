#pragma once

// Which part of a list a path means: "gpu.sm.register_file.stages[register-cache].ways". Used by --set, by
// experiments and by the coefficients of technologies.

#include <string_view>

#include "models/core/config_node.h"

namespace heddle {

/// The item at a position ("0"), or the part of a type ("register-cache"): of several the last, that is the
/// lowest stage; the next above it is "register-cache:2". Parts inside of parts ("parallel") count too.
/// nullptr if there is none.
const ConfigNode* find_part(const ConfigNode& list, std::string_view selector);
ConfigNode* find_part(ConfigNode& list, std::string_view selector);

/// The type of a part: its name alone, or its "type". Empty for what is not a part.
std::string_view type_of_part(const ConfigNode& part);

}  // namespace heddle
