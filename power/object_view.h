#pragma once

// Reads a JSON object of a technology file, and throws errors with their location.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/core/object_form.h"

namespace heddle::power {

class ObjectView {
 public:
  /// Throws Error if the object `node` does not have the form `form` (ObjectForm::check).
  ObjectView(const ConfigNode& node, const ObjectForm& form) : node_(&node) { form.check(node); }

  const ConfigNode& node() const { return *node_; }
  const ConfigNode* find(const char* key) const { return node_->find(key); }
  bool has(const char* key) const { return find(key) != nullptr; }

  const ConfigNode& get(const char* key) const {
    if (const ConfigNode* member = find(key)) return *member;
    throw Error(node_->where(), fmt::format("no \"{}\"", key));
  }
  std::string text(const char* key) const {
    const ConfigNode& member = get(key);
    if (!member.is_string() || member.text.empty()) throw Error(member.where(), "expected a text");
    return member.text;
  }
  std::string text(const char* key, const std::string& otherwise) const {
    return has(key) ? text(key) : otherwise;
  }
  bool flag(const char* key) const {
    const ConfigNode* member = find(key);
    if (member && member->kind != ConfigNode::Kind::boolean)
      throw Error(member->where(), "expected true or false");
    return member && member->boolean;
  }
  std::vector<std::string> texts(const char* key) const {
    const ConfigNode& member = get(key);
    if (member.is_string()) return {text(key)};
    std::vector<std::string> all;
    for (const ConfigNode& item : member.items)
      if (item.is_string() && !item.text.empty()) all.push_back(item.text);
    if (!member.is_array() || all.empty() || all.size() != member.items.size())
      throw Error(member.where(), "expected a text or a list of texts");
    return all;
  }
  /// Throws Error unless the object states exactly one of "source" and "assumed".
  void require_origin() const {
    if (has("source") == has("assumed"))
      throw Error(node_->where(),
                  "exactly one of \"source\" and \"assumed\" has to say where the figures are from");
  }

 private:
  const ConfigNode* node_;
};

}  // namespace heddle::power
