#pragma once

// Resolves paths to a part of a list, such as "gpu.sm.register_file.stages[register-cache].ways". Used by
// --set, experiments and coefficients of technologies.

#include <cstddef>
#include <string>
#include <string_view>

#include "models/core/config_node.h"

namespace heddle {

/// Returns the part at a position ("0") or of a type ("register-cache"). If several parts have the type, the
/// last one is selected, which is the lowest stage; "register-cache:2" selects the next one above. Parts
/// inside of other parts ("parallel") count as well. Returns nullptr if there is none.
const ConfigNode* find_part(const ConfigNode& list, std::string_view selector);
ConfigNode* find_part(ConfigNode& list, std::string_view selector);

/// Returns the type of a part: its plain name, or its "type". Empty for other nodes.
std::string_view type_of_part(const ConfigNode& part);

/// Returns the name of a part by its position in a list: "stage0_register_cache".
std::string part_place_name(std::string_view kind, std::size_t place, std::string_view type);

}  // namespace heddle
