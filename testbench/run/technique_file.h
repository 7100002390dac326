#pragma once

// Contents of a technique's file (docs/techniques.md), in configs/techniques or of the user.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// An axis: a choice that a machine makes only once. Two techniques that decide an axis differently exclude
/// each other.
struct TechniqueAxis {
  const char* name;
  const char* path;    ///< prefix of the parameters that it covers
  const char* reason;  ///< reason why a machine has one choice, as a sentence without a full stop
};
const std::vector<TechniqueAxis>& technique_axes();

/// A list to which techniques add parts: its key in their files, and its parameter.
struct TechniqueList {
  const char* key;
  const char* path;
};
const std::vector<TechniqueList>& technique_lists();

struct Technique {
  struct Requirement {
    std::string path, why;
    std::vector<std::string> one_of;  ///< allowed values or types; empty: the property `has` decides
    std::string has;                  ///< property (PartTraits) that the part must have
    ConfigNode otherwise;             ///< value or part that replaces an unsuitable one; null: no replacement
  };

  /// Name that the user gave; techniques that are combined into one have the name of the combination.
  std::string name;
  std::vector<const TechniqueAxis*> axes;                    ///< names without duplicates
  std::vector<std::vector<ConfigNode>> parts;                ///< parts to add, by list
  std::vector<std::pair<std::string, ConfigNode>> settings;  ///< changes, by path
  std::vector<ConfigNode> technologies;
  std::vector<Requirement> requirements;
};

/// Returns the file of a technique, given by name or path. Throws Error if it is missing.
std::string technique_file(const ConfigNode& name);
/// Reads a technique and the techniques that it combines ("with"). Adds the names of all files to `files`.
/// Throws Error for an invalid technique.
Technique read_technique(const std::string& file, std::vector<std::string>& files);

/// Returns true if the value or part meets the requirement.
bool is_met(const Technique::Requirement& requirement, const ConfigNode* value);
/// Returns the text that a requirement compares: the type of a part, or a value.
std::string value_text(const ConfigNode& value);
/// Returns the allowed values, for messages.
std::string allowed_by(const Technique::Requirement& requirement);

}  // namespace heddle::run
