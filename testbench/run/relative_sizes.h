#pragma once

// Sizes that say what they are by (docs/techniques.md), wherever a number stands in a technique, a scenario or a preset:
//
//   {"times": 3, "by": "issue-slot"}    three for each issue slot of a scheduler ("in": "partition" or "sm": of those)
//   {"times": 0.5, "of": "preset"}      half of what the parameter was before techniques; of a list, item by item
//   {"times": 1, "of": "preset-registers"}   the entries of all banks of a partition before techniques
//
// Parts of a whole are rounded down.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

struct RelativeSize {
  std::string path;   ///< of the parameter
  std::string value;  ///< what it became
  std::string by;     ///< "3 an issue slot", "0.5 of the preset's 64"
};

/// Whether the value says what it is a part of, of the configuration before techniques.
bool is_of_preset(const ConfigNode& value);
/// Such a value as a number, or a list of them. `before`: that configuration. Throws Error for what is no number
/// there, a factor that is none, or an unknown "of".
ConfigNode of_preset(const ConfigNode& value, const std::string& path, const ConfigNode& before,
                     std::vector<RelativeSize>& sizes);

/// Every value of a whole configuration that says what it is by becomes a number. Throws Error as above.
void resolve_sizes(ConfigNode& configuration, std::vector<RelativeSize>& sizes);

/// Whether a change at this path may change a size that is by something.
bool sizes_depend_on(const std::string& path);

}  // namespace heddle::run
