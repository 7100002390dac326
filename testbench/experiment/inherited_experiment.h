#pragma once

// Reads an experiment file that extends another one (key "like", docs/formats/experiment.md).

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::experiment {

/// Returns the file merged over the base file that its key `like` names. Objects are merged by key, and lists
/// of named items by name. Instead of such a list, the file may give an object whose keys are item names.
/// null removes a key or an item. A value of any other kind replaces the value of the base file. `covers`,
/// `elsewhere`, `opening` and `decides` are not inherited, because these keys describe the base file's runs.
/// Adds the names of all files that were read to `files`. Throws Error if files extend each other in a
/// circle.
ConfigNode read_inherited_experiment(const std::string& path, std::vector<std::string>& files);

void merge_experiment(ConfigNode& base, const ConfigNode& over);

}  // namespace heddle::experiment
