#pragma once

// Sizes relative to the machine (docs/techniques.md), for numbers of a technique, a scenario or a preset:
//
//   {"times": 3, "by": "issue-slot"} is three for each issue slot of a scheduler ("in": "partition" or "sm":
//   of the partition or the SM)
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
  std::string path;
  std::string value;
  std::string by;  ///< explanation: "3 an issue slot", "0.5 of the preset's 64"
};

/// Returns true for sizes relative to the configuration before techniques (key "of").
bool is_of_preset(const ConfigNode& value);
/// Returns the number or list for a size relative to `before`, the configuration before techniques. Throws
/// Error if `before` has no number at `path`, for an invalid factor, and for an unknown "of".
ConfigNode of_preset(const ConfigNode& value, const std::string& path, const ConfigNode& before,
                     std::vector<RelativeSize>& sizes);

/// Replaces all relative sizes by numbers. Throws Error like of_preset().
void resolve_sizes(ConfigNode& configuration, std::vector<RelativeSize>& sizes);

/// Returns true if a change at this path may change a relative size.
bool sizes_depend_on(const std::string& path);

}  // namespace heddle::run
