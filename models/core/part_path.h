#pragma once

// Finds a part in a configuration's list by a path, such as
// "gpu.sm.register_file.stages[register-cache].ways". The option --set, experiments and coefficients of
// technologies use such paths.

#include <cstddef>
#include <string>
#include <string_view>

#include "models/core/config_node.h"

namespace heddle {

/// Returns the part of a list that `selector` names: a position ("0"), or a type ("register-cache"). If
/// several parts have this type, the last one is selected. In a list of register-file stages, this is the
/// stage nearest to the banks. "register-cache:2" selects the last but one. Parts nested in other parts
/// ("parallel") count as well. Returns nullptr if there is no such part.
const ConfigNode* find_part(const ConfigNode& list, std::string_view selector);
ConfigNode* find_part(ConfigNode& list, std::string_view selector);

/// Returns the type of a part, from its plain name or from its member "type". Empty for other nodes.
std::string_view type_of_part(const ConfigNode& part);

/// Returns the name of a part, formed from its position in a list and its type, such as
/// "stage0_register_cache".
std::string part_place_name(std::string_view kind, std::size_t place, std::string_view type);

}  // namespace heddle
