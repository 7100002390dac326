#include "testbench/launch/draft_text.h"

#include <fmt/format.h>

#include "models/core/config_node.h"

namespace heddle::launch {
namespace {

std::string type_list(const PartFacts& part) {
  std::string text;
  for (const ElementType type : part.elements)
    text += (text.empty() ? "" : ", ") + std::string(name_of(type));
  return text;
}

}  // namespace

std::string json_string(const std::string& text) {
  std::string json = to_json(ConfigNode::make_string(text));
  json.pop_back();
  return json;
}

ElementType buffer_type(const PartFacts& part) {
  if (!part.targets.empty()) return part.type;
  ElementType type = part.elements.front();
  for (const ElementType other : part.elements)
    if (bytes_of(other) < bytes_of(type)) type = other;
  return type;
}

std::string accesses(const PartFacts& part) {
  const char* const how = part.atomics                ? "atomics"
                          : part.read && part.written ? "read and written"
                          : part.read                 ? "read"
                                                      : "written";
  return fmt::format("{} as {}", how, type_list(part));
}

}  // namespace heddle::launch
