#pragma once

// Contents of a technique's file (docs/techniques.md), in configs/techniques or of the user.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// A choice that a machine makes once: techniques that decide it differently exclude each other.
struct TechniqueAxis {
  const char* name;
  const char* path;    ///< prefix of the parameters that it covers
  const char* reason;  ///< reason why there is only one, as a sentence without a full stop
};
const std::vector<TechniqueAxis>& technique_axes();

/// Lists that techniques add parts to: the key in their files, and the parameter.
struct TechniqueList {
  const char* key;
  const char* path;
};
const std::vector<TechniqueList>& technique_lists();

struct Technique {
  struct Requirement {
    std::string path, why;
    std::vector<std::string> one_of;  ///< allowed values or types; empty: `has` decides
    std::string has;                  ///< required property of the part (PartTraits)
    ConfigNode otherwise;             ///< replacement; null: none
  };

  std::string name;                            ///< the user's name for it; parts of a sum have the sum's name
  std::vector<const TechniqueAxis*> axes;      ///< each once
  std::vector<std::vector<ConfigNode>> parts;  ///< by list
  std::vector<std::pair<std::string, ConfigNode>> settings;  ///< by path
  std::vector<ConfigNode> technologies;
  std::vector<Requirement> requirements;
};

/// File of a technique, by name or path. Throws Error if it is missing.
std::string technique_file(const ConfigNode& name);
/// Reads it, and the techniques of which it is the sum ("with"). Adds the names of all files to `files`.
/// Throws Error for an invalid technique.
Technique read_technique(const std::string& file, std::vector<std::string>& files);

/// True if the value or part meets the requirement.
bool is_met(const Technique::Requirement& requirement, const ConfigNode* value);
/// Value that a requirement compares: the type of a part, or the value.
std::string value_text(const ConfigNode& value);
/// Allowed values, for messages.
std::string allowed_by(const Technique::Requirement& requirement);

}  // namespace heddle::run
