#pragma once

// Contents of a technique's file (docs/techniques.md), from configs/techniques or of the user.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// A choice that a machine makes only once (axis). Techniques that decide an axis differently exclude each
/// other.
struct TechniqueAxis {
  std::string name;
  std::string path;  ///< prefix of the parameters to which the axis applies
  /// Reason why a machine can make this choice only once, without a full stop.
  std::string reason;
  bool operator==(const TechniqueAxis&) const = default;
};
/// Returns the axes that technique files use by name. A technique file may declare further axes.
const std::vector<TechniqueAxis>& technique_axes();

/// A list to which techniques may add. `key`: its name in technique files. `path`: the parameter that holds
/// it.
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
    /// Replacement if the machine does not meet the requirement; null: none.
    ConfigNode otherwise;
  };

  /// name that the user gave, also for techniques inside of another technique
  std::string name;
  std::vector<TechniqueAxis> axes;
  std::vector<std::vector<ConfigNode>> parts;  ///< implementations that the technique adds to each list
  std::vector<std::pair<std::string, ConfigNode>> settings;
  std::vector<ConfigNode> technologies;
  std::vector<Requirement> requirements;
  std::vector<std::string> notes;  ///< lines for the summary of a run with the technique
};

/// Finds a technique by name or path. Throws Error if it is missing.
std::string technique_file(const ConfigNode& name);
/// Reads a technique and the techniques that it combines ("with"). Adds all files to `files`. Throws Error
/// for an invalid technique.
Technique read_technique(const std::string& file, std::vector<std::string>& files);

bool is_met(const Technique::Requirement& requirement, const ConfigNode* value);
/// Returns the text that a requirement checks: an implementation's type, or a value.
std::string value_text(const ConfigNode& value);
std::string allowed_by(const Technique::Requirement& requirement);

}  // namespace heddle::run
