#pragma once

// Sizes relative to the machine (docs/techniques.md). They are allowed for any number of a technique, a
// scenario or a preset:
//
//   {"times": 3, "by": "issue-slot"} is three for each issue slot of a scheduler ("in": "partition" or "sm":
//   for each issue slot of the partition or the SM)
//   {"times": 0.5, "of": "preset"} is half of the parameter's value before techniques; for a list, item by
//   item
//   {"times": 1, "of": "preset-registers"} is the entries of all banks of a partition before techniques
//
// Fractions are rounded down.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

struct RelativeSize {
  std::string path;   ///< path of the parameter that has a relative size
  std::string value;  ///< number that replaces the relative size
  std::string by;     ///< explanation of the number: "3 an issue slot", "0.5 of the preset's 64"
};

/// Returns true if the size is relative to the configuration before techniques (key "of").
bool is_of_preset(const ConfigNode& value);
/// Returns the value of a size relative to the configuration before techniques (`before`): a number or a list
/// of numbers. Throws Error if `before` has no number at `path`, for an invalid factor, and for an unknown
/// "of".
ConfigNode of_preset(const ConfigNode& value, const std::string& path, const ConfigNode& before,
                     std::vector<RelativeSize>& sizes);

/// Replaces all relative sizes of a configuration by numbers. Throws Error like of_preset().
void resolve_sizes(ConfigNode& configuration, std::vector<RelativeSize>& sizes);

/// Returns true if a change of the parameter at this path may change a relative size.
bool sizes_depend_on(const std::string& path);

}  // namespace heddle::run
