#include "models/core/registry.h"

namespace heddle {

std::string choice_name(const ConfigNode& choice) {
  const ConfigNode& node = choice.unwrapped();
  if (node.is_string()) return node.text;
  if (node.is_object()) {
    const ConfigNode* type = node.find("type");
    if (type && type->unwrapped().is_string()) return type->unwrapped().text;
    throw Error(node.where(), "a part needs a \"type\"", "\"name\" or {\"type\": \"name\", parameters}");
  }
  throw Error(node.where(), "expected the name of a part", "\"name\" or {\"type\": \"name\", parameters}");
}

ConfigNode choice_parameters(const ConfigNode& choice) {
  const ConfigNode& node = choice.unwrapped();
  ConfigNode parameters = ConfigNode::make_object(node.file);
  parameters.line = node.line;
  parameters.path = node.path;
  for (const auto& member : node.members)
    if (member.first != "type") parameters.members.push_back(member);
  return parameters;
}

Families& Families::instance() {
  static Families families;
  return families;
}

void Families::add(const Family& family) {
  if (!by_place_.emplace(family.place(), &family).second)
    throw InternalError("two families at " + family.place());
}

const Family* Families::named(const std::string& name) const {
  for (const auto& [place, family] : by_place_)
    if (family->name() == name) return family;
  return nullptr;
}

}  // namespace heddle
