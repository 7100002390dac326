#include "testbench/run/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace heddle::run {
namespace {

// Returns a value as text. For a part such as a scheduler, the text is its name, with its parameters in
// parentheses.
std::string text_of(const ConfigNode& node) {
  const ConfigNode& value = node.unwrapped();
  if (value.is_string()) return value.text;
  if (value.is_array()) {
    std::vector<std::string> items;
    for (const ConfigNode& item : value.items) items.push_back(text_of(item));
    return items.empty() ? "none" : fmt::format("{}", fmt::join(items, ", "));
  }
  if (!value.is_object()) {
    std::string json = to_json(value);
    std::erase(json, '\n');
    return json;
  }
  std::vector<std::string> members;
  for (const auto& [key, member] : value.members)
    if (key != "type") members.push_back(fmt::format("{}={}", key, text_of(member)));
  const ConfigNode* type = value.find("type");
  return (type ? type->text : "") + (members.empty() ? "" : fmt::format("({})", fmt::join(members, ", ")));
}

// Returns a list of technology tables as text. Paths of Heddle's own tables are shortened to names, so that
// the same table from a pack gives the same text.
std::string text_of_tables(const ConfigNode& node) {
  ConfigNode names = node.unwrapped();
  for (ConfigNode& name : names.items) {
    const std::filesystem::path file(name.text);
    if (file.parent_path().generic_string().ends_with("configs/technology")) name.text = file.stem().string();
  }
  return text_of(names);
}

bool are_tables(const std::string& path) {
  return path == "power.technologies" || path == "power.stand_back";
}

// Returns true if both values have the same text.
bool is_same(const ConfigNode& one, const ConfigNode& other) {
  const ConfigNode &a = one.unwrapped(), &b = other.unwrapped();
  return a.kind == b.kind && a.boolean == b.boolean && a.is_integer == b.is_integer &&
         a.integer == b.integer && a.number == b.number && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same) &&
         std::equal(
             a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
             [](const auto& x, const auto& y) { return x.first == y.first && is_same(x.second, y.second); });
}

using Nodes = std::vector<const ConfigNode*>;  // of one path, in each configuration; nullptr if absent

// Parameters of a configuration by path, without those in which all configurations are the same. The nodes
// belong to the configuration.
struct Values {
  std::vector<std::string> order;
  std::map<std::string, const ConfigNode*> by_path;

  // `everywhere`: the nodes that all configurations have at `path`. This configuration has `node`.
  void add(const std::string& path, const ConfigNode& node, const Nodes& everywhere) {
    if (std::all_of(everywhere.begin(), everywhere.end(),
                    [&](const ConfigNode* other) { return other && is_same(node, *other); }))
      return;
    const ConfigNode& value = node.unwrapped();
    const ConfigNode* type = value.is_object() ? value.find("type") : nullptr;
    if (type || !value.is_object()) {
      order.push_back(path);
      by_path[path] = type ? type : &value;
    }
    if (!value.is_object()) return;
    for (const auto& [key, member] : value.members) {
      if (key == "type") continue;
      Nodes members;
      for (const ConfigNode* other : everywhere)
        members.push_back(other ? other->unwrapped().find(key) : nullptr);
      add(path.empty() ? key : path + "." + key, member, members);
    }
  }
  const ConfigNode* find(const std::string& path) const {
    const auto at = by_path.find(path);
    return at == by_path.end() ? nullptr : at->second;
  }
};

bool names_files_alone(const std::string& path) {
  return path == "description" || path == "launch" || path.starts_with("output.");
}

}  // namespace

std::vector<ParameterDifference> differences(const std::vector<const ConfigNode*>& configurations) {
  std::vector<Values> all(configurations.size());
  std::vector<std::string> order;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].add("", *configurations[i], configurations);
    for (const std::string& path : all[i].order)
      if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                       [&](const Values& earlier) { return earlier.by_path.contains(path); }))
        order.push_back(path);
  }
  std::vector<ParameterDifference> found;
  for (const std::string& path : order) {
    if (names_files_alone(path)) continue;
    ParameterDifference one{path, {}};
    for (const Values& values : all) {
      const ConfigNode* const value = values.find(path);
      one.values.push_back(!value ? "-" : are_tables(path) ? text_of_tables(*value) : text_of(*value));
    }
    if (std::any_of(one.values.begin(), one.values.end(),
                    [&](const std::string& value) { return value != one.values[0]; }))
      found.push_back(std::move(one));
  }
  return found;
}

}  // namespace heddle::run
