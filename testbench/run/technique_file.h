#pragma once

// Contents of a technique's file (docs/techniques.md), from configs/techniques or of the user.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// An axis: a choice that a machine makes only once. Two techniques that decide an axis differently exclude
/// each other.
struct TechniqueAxis {
  const char* name;
  const char* path;  ///< beginning of the paths of the parameters to which the axis applies
  /// Reason why a machine can make this choice only once, as a sentence without a full stop.
  const char* reason;
};
const std::vector<TechniqueAxis>& technique_axes();

/// A list of parts to which techniques may add. `key`: name of the list in technique files. `path`: parameter
/// that holds the list.
struct TechniqueList {
  const char* key;
  const char* path;
};
const std::vector<TechniqueList>& technique_lists();

struct Technique {
  struct Requirement {
    std::string path, why;
    std::vector<std::string> one_of;  ///< allowed values or part types; empty: the property `has` decides
    std::string has;                  ///< property (PartTraits) that the part must have
    /// Value or part that is used instead if the machine's value or part does not meet the requirement; null:
    /// none.
    ConfigNode otherwise;
  };

  /// name that the user gave; techniques that are parts of another technique have its name
  std::string name;
  std::vector<const TechniqueAxis*> axes;      ///< axes that the technique decides, each once
  std::vector<std::vector<ConfigNode>> parts;  ///< parts that the technique adds to each list
  /// Parameters that the technique sets, with their values, by path.
  std::vector<std::pair<std::string, ConfigNode>> settings;
  std::vector<ConfigNode> technologies;
  std::vector<Requirement> requirements;
};

/// Returns the file of a technique, given by name or path. Throws Error if it is missing.
std::string technique_file(const ConfigNode& name);
/// Reads a technique and the techniques that it combines ("with"). Adds the names of all files to `files`.
/// Throws Error for an invalid technique.
Technique read_technique(const std::string& file, std::vector<std::string>& files);

/// Returns true if the value or part of the machine meets the requirement.
bool is_met(const Technique::Requirement& requirement, const ConfigNode* value);
/// Returns the text by which a requirement is checked: the type of a part, or a value.
std::string value_text(const ConfigNode& value);
/// Returns the values that a requirement allows, for messages.
std::string allowed_by(const Technique::Requirement& requirement);

}  // namespace heddle::run
