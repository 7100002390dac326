#pragma once

// Values of a configuration by their paths, parts of lists included: "gpu.sm.register_file.stages[renaming].bank_full".

#include <string>

#include "models/core/config_node.h"

namespace heddle::run {

/// The value, without where it comes from; nullptr if there is none.
ConfigNode* find_path(ConfigNode& root, const std::string& path);
const ConfigNode* find_path(const ConfigNode& root, const std::string& path);

/// Whether the path leads into a part that is not there: "...stages[renaming].bank_full" without renaming.
bool is_of_absent_part(const ConfigNode& root, const std::string& path);

/// Throws Error if there is no such place.
void set_path(ConfigNode& root, const std::string& path, const ConfigNode& value);

/// Without where it comes from, on one line.
std::string one_line(const ConfigNode& value);

}  // namespace heddle::run
