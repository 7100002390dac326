#pragma once

// Access to values of a configuration by path: "gpu.sm.register_file.stages[renaming].bank_full".

#include <optional>
#include <string>

#include "models/core/config_node.h"

namespace heddle::run {

/// Returns the value without its source; nullptr if it is missing.
ConfigNode* find_path(ConfigNode& root, const std::string& path);
const ConfigNode* find_path(const ConfigNode& root, const std::string& path);

/// Returns the number of a node without its source, or 1 or 0 for a boolean. Returns nothing for other nodes
/// and for nullptr.
std::optional<double> number_of(const ConfigNode* node);

/// Returns true if the path leads into an absent implementation, such as "...stages[renaming].bank_full"
/// without renaming.
bool is_of_absent_part(const ConfigNode& root, const std::string& path);

/// Throws Error if the path does not exist.
void set_path(ConfigNode& root, const std::string& path, const ConfigNode& value);

std::string one_line(const ConfigNode& value);

}  // namespace heddle::run
