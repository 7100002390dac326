#pragma once

// Finds an item of a configuration list by a path, such as
// "gpu.sm.register_file.stages[register-cache].ways". The option --set, experiments and energy coefficients
// use such paths.

#include <cstddef>
#include <string>
#include <string_view>

#include "models/core/config_node.h"

namespace heddle {

/// Returns the list item that `selector` names, or nullptr if there is none. "0" names the first item, "1" the
/// second. "register-cache" names the last item of this type, and "register-cache:2" the last but one. Items
/// nested in an item such as "parallel" are counted too.
const ConfigNode* find_part(const ConfigNode& list, std::string_view selector);
ConfigNode* find_part(ConfigNode& list, std::string_view selector);

/// Returns the type of a list item, from its plain name or its member "type". Empty for other nodes.
std::string_view type_of_part(const ConfigNode& part);

/// Returns a name for a list item, made of its position and type, such as "stage0_register_cache".
std::string part_place_name(std::string_view kind, std::size_t place, std::string_view type);

}  // namespace heddle
