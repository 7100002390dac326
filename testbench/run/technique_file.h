#pragma once

// Contents of a technique's file (docs/formats/technique.md). The file is in configs/techniques, or is the
// user's.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// A choice that a machine can make only once (axis). Two techniques that choose differently exclude each
/// other.
struct TechniqueAxis {
  std::string name;
  std::string path;  ///< prefix of the parameters to which the axis applies
  /// Reason why two techniques cannot both make this choice. The text has no full stop at its end.
  std::string reason;
  bool operator==(const TechniqueAxis&) const = default;
};
/// Returns the axes that technique files can use by name. A technique file may also declare its own axes.
const std::vector<TechniqueAxis>& technique_axes();

/// A list in the configuration to which techniques may add parts. `key`: name of the list in technique files.
/// `path`: the parameter whose value is the list.
struct TechniqueList {
  const char* key;
  const char* path;
};
const std::vector<TechniqueList>& technique_lists();

struct Technique {
  struct Requirement {
    std::string path, why;
    std::vector<std::string> one_of;  ///< allowed values or implementations; empty: `has` decides
    std::string has;                  ///< property (PartTraits) that the implementation must have
    /// Part that replaces the configuration's part if the requirement is not met; null: no replacement, so a
    /// requirement that is not met is an error.
    ConfigNode otherwise;
  };

  /// name of the file without its ending; messages also use it for parts and settings of the techniques that
  /// this technique combines (key "with")
  std::string name;
  std::vector<TechniqueAxis> axes;
  std::vector<std::vector<ConfigNode>> parts;  ///< implementations that the technique adds to each list
  std::vector<std::pair<std::string, ConfigNode>> settings;
  std::vector<ConfigNode> technologies;
  std::vector<Requirement> requirements;
  std::vector<std::string> notes;  ///< lines for the summary of a run with the technique
};

/// Returns the path of a technique's file, by the technique's name or by path. Throws Error if the file is
/// missing.
std::string technique_file(const ConfigNode& name);
/// Reads a technique and the techniques that it combines (key "with"). Adds the names of all files that were
/// read to `files`. Throws Error for an invalid technique.
Technique read_technique(const std::string& file, std::vector<std::string>& files);

bool is_met(const Technique::Requirement& requirement, const ConfigNode* value);
/// Returns the text that a requirement compares: the type of a part (such as a scheduler), or a plain value.
std::string value_text(const ConfigNode& value);
std::string allowed_by(const Technique::Requirement& requirement);

}  // namespace heddle::run
