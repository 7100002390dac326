#pragma once

// Computes sizes that are relative to the machine (docs/formats/technique.md), for numbers of a technique,
// scenario or preset:
//
// - {"times": 3, "by": "issue-slot"} means 3 for each issue slot of a scheduler. With "in": "partition" or
//   "sm", it means 3 for each issue slot of the partition or of the SM.
// - {"times": 0.5, "of": "preset"} means half of the value that the parameter has before techniques. For a
//   list, it means half of each item.
// - {"times": 1, "of": "preset-registers"} means the number of entries of all banks of a partition, before
//   techniques.
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

/// Returns true for a size that is relative to the configuration before techniques (key "of").
bool is_of_preset(const ConfigNode& value);
/// Returns the number or list that a relative size means, such as {"times": 0.5, "of": "preset"} (`value`).
/// `before`: the configuration before techniques. `path`: the parameter that gets the size. Throws Error if
/// `before` has no number at `path`, for an invalid factor, and for an unknown "of".
ConfigNode of_preset(const ConfigNode& value, const std::string& path, const ConfigNode& before,
                     std::vector<RelativeSize>& sizes);

/// Replaces all relative sizes by numbers. Throws Error in the same cases as of_preset().
void resolve_sizes(ConfigNode& configuration, std::vector<RelativeSize>& sizes);

/// Returns true if a relative size may depend on the parameter at this path.
bool sizes_depend_on(const std::string& path);

}  // namespace heddle::run
