#pragma once

// Which part of a list a path means: "gpu.sm.register_file.stages[register-cache].ways". Used by --set, by
// experiments and by the coefficients of technologies.

#include <cstddef>
#include <string>
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

/// Name of a part by its place in a list: "stage0_register_cache".
std::string part_place_name(std::string_view kind, std::size_t place, std::string_view type);

}  // namespace heddle
