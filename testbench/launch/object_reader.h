#pragma once

// Typed access to one JSON object of a launch file; unknown keys are refused at once.

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/core/unknown_name.h"

namespace heddle::launch {

class ObjectReader {
 public:
  /// Throws Error if `node` is not an object (`what` says what it should be) or has a key not in `keys`.
  ObjectReader(const ConfigNode& node, std::string what, std::initializer_list<std::string_view> keys)
      : node_(node), what_(std::move(what)) {
    const std::vector<std::string> known(keys.begin(), keys.end());
    if (!node.is_object())
      throw Error(node.where(), "not " + what_, fmt::format("an object with {}", fmt::join(known, ", ")));
    for (const auto& [name, member] : node.members)
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw unknown_name(member.where(), "key", name, known);
  }

  const ConfigNode* find(std::string_view key) const { return node_.find(key); }
  bool has(std::string_view key) const { return find(key) != nullptr; }

  const ConfigNode& get(std::string_view key) const {
    const ConfigNode* member = find(key);
    if (!member) throw Error(node_.where(), what_ + " has no \"" + std::string(key) + "\"");
    return *member;
  }

  /// A string; `required` false: empty if the key is missing.
  std::string text(std::string_view key, bool required = true) const {
    const ConfigNode* member = required ? &get(key) : find(key);
    return member ? text_of(*member) : std::string{};
  }

  static std::string text_of(const ConfigNode& node) {
    if (!node.is_string()) throw Error(node.where(), "not a string", "a string");
    if (node.text.empty()) throw Error(node.where(), "an empty string");
    return node.text;
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
