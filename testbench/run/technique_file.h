#pragma once

// A technique as its file says it (docs/techniques.md): configs/techniques, or a file of the user's.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

/// What a machine has one of: two techniques that decide it differently cannot be in one.
struct TechniqueAxis {
  const char* name;
  const char* path;    ///< parameters that it is about begin so
  const char* reason;  ///< why there is only one, as a sentence without a stop
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
    std::vector<std::string> one_of;  ///< values or types; empty: `has` counts
    std::string has;                  ///< property of the part there (PartTraits)
    ConfigNode otherwise;             ///< null: nothing is put in its place
  };

  std::string name;                            ///< as the user calls it; parts of a sum have that of the sum
  std::vector<const TechniqueAxis*> axes;      ///< each once
  std::vector<std::vector<ConfigNode>> parts;  ///< by list
  std::vector<std::pair<std::string, ConfigNode>> settings;  ///< by path
  std::vector<ConfigNode> technologies;
  std::vector<Requirement> requirements;
};

/// Its file, by name or path. Throws Error if there is none.
std::string technique_file(const ConfigNode& name);
/// Reads it, and those that it is the sum of ("with"). `files`: gets the names of all files. Throws Error for what a
/// technique cannot be.
Technique read_technique(const std::string& file, std::vector<std::string>& files);

/// Whether a value or part is as required.
bool is_met(const Technique::Requirement& requirement, const ConfigNode* value);
/// What a requirement compares: the type of a part, or the value.
std::string value_text(const ConfigNode& value);
/// What it allows, for messages.
std::string allowed_by(const Technique::Requirement& requirement);

}  // namespace heddle::run
