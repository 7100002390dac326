#pragma once

// Access to values of a configuration by path: "gpu.sm.register_file.stages[renaming].bank_full".

#include <optional>
#include <string>

#include "models/core/config_node.h"

namespace heddle::run {

/// Returns the value at a path, without its source; nullptr if the value is missing.
ConfigNode* find_path(ConfigNode& root, const std::string& path);
const ConfigNode* find_path(const ConfigNode& root, const std::string& path);

/// Returns the number in a node, also in a node {"value": ..., "source": ...}. A boolean counts as 1 or 0.
/// Returns nothing for other nodes and for nullptr.
std::optional<double> number_of(const ConfigNode* node);

/// Returns true if the path leads into a part that the configuration does not have. An example is
/// "...stages[renaming].bank_full" without the stage `renaming`.
bool is_of_absent_part(const ConfigNode& root, const std::string& path);

/// Sets the value at a path. Throws Error if the path does not exist.
void set_path(ConfigNode& root, const std::string& path, const ConfigNode& value);

std::string one_line(const ConfigNode& value);

}  // namespace heddle::run
