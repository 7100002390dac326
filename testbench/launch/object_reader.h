#pragma once

// Reads the members of one JSON object with their types. Throws Error for a key that the object's form does
// not declare.

#include <string>
#include <string_view>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/core/object_form.h"

namespace heddle::launch {

class ObjectReader {
 public:
  ObjectReader(const ConfigNode& node, const ObjectForm& form) : node_(node), what_(form.what()) {
    form.check(node);
  }

  const ConfigNode* find(std::string_view key) const { return node_.find(key); }
  bool has(std::string_view key) const { return find(key) != nullptr; }

  const ConfigNode& get(std::string_view key) const {
    const ConfigNode* member = find(key);
    if (!member) throw Error(node_.where(), what_ + " has no \"" + std::string(key) + "\"");
    return *member;
  }

  std::string text(std::string_view key, bool required = true) const {
    const ConfigNode* member = required ? &get(key) : find(key);
    return member ? text_of(*member) : std::string{};
  }

  static std::string text_of(const ConfigNode& node) {
    if (!node.is_string()) throw Error(node.where(), "not a string", "a string");
    if (node.text.empty()) throw Error(node.where(), "an empty string");
    return node.text;
  }

  /// Returns the texts of a non-empty list. A single text counts as a list with one text.
  static std::vector<std::string> texts_of(const ConfigNode& node) {
    if (!node.is_array()) return {text_of(node)};
    std::vector<std::string> texts;
    for (const ConfigNode& item : node.items) texts.push_back(text_of(item));
    if (texts.empty()) throw Error(node.where(), "an empty list");
    return texts;
  }

  static const ConfigNode& array(const ConfigNode& node) {
    if (!node.is_array()) throw Error(node.where(), "not a list", "a list");
    return node;
  }

 private:
  const ConfigNode& node_;
  std::string what_;
};

}  // namespace heddle::launch
