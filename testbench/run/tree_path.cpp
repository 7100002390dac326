#include "testbench/run/tree_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/part_path.h"
#include "models/core/unknown_name.h"
#include "testbench/run/origins.h"

namespace heddle::run {
namespace {

ConfigNode* unwrapped(ConfigNode* node) {
  return node ? const_cast<ConfigNode*>(&node->unwrapped()) : nullptr;
}

ConfigNode* find_step(ConfigNode& object, std::string_view step) {
  const std::size_t open = std::min(step.find('['), step.size());
  ConfigNode* node = unwrapped(object.find(step.substr(0, open)));
  if (!node || open == step.size()) return node;
  return node->is_array() ? find_part(*node, step.substr(open + 1, step.find(']') - open - 1)) : nullptr;
}

}  // namespace

ConfigNode* find_path(ConfigNode& root, const std::string& path) {
  ConfigNode* node = &root;
  for (std::size_t begin = 0; node && begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    node = find_step(*node, std::string_view(path).substr(begin, end - begin));
    begin = end + 1;
  }
  return node;
}

const ConfigNode* find_path(const ConfigNode& root, const std::string& path) {
  return find_path(const_cast<ConfigNode&>(root), path);
}

std::optional<double> number_of(const ConfigNode* node) {
  if (!node) return std::nullopt;
  const ConfigNode& value = node->unwrapped();
  if (value.is_number()) return value.number;
  if (value.kind == ConfigNode::Kind::boolean) return value.boolean ? 1.0 : 0.0;
  return std::nullopt;
}

bool is_of_absent_part(const ConfigNode& root, const std::string& path) {
  const std::size_t close = path.rfind(']');
  return close != std::string::npos && !find_path(root, path.substr(0, close + 1));
}

namespace {

void add_paths(const ConfigNode& node, const std::string& path, std::vector<std::string>& paths) {
  if (!path.empty()) paths.push_back(path);
  for (const auto& [key, member] : node.members)
    add_paths(member, path.empty() ? key : path + "." + key, paths);
}

[[noreturn]] void refuse_path(const ConfigNode& root, const std::string& path, const std::string& where) {
  std::vector<std::string> paths;
  add_paths(root, "", paths);
  throw Error(where, fmt::format("there is no parameter {}{}", path, did_you_mean(path, paths)),
              "a row of heddle schema parameters");
}

}  // namespace

void set_path(ConfigNode& root, const std::string& path, const ConfigNode& value) {
  const std::size_t dot = path.rfind('.');
  ConfigNode* parent = dot == std::string::npos ? &root : find_path(root, path.substr(0, dot));
  // A part that is written as a plain name has no parameters; make it an object, which can have them.
  if (parent && parent->is_string() && path[dot - 1] == ']') {
    ConfigNode part = ConfigNode::make_object(parent->file);
    part.line = parent->line;
    part.path = parent->path;
    part.members.emplace_back("type", *parent);
    *parent = std::move(part);
  }
  if (!parent || !parent->is_object()) refuse_path(root, path, value.where());
  const std::string key = path.substr(dot == std::string::npos ? 0 : dot + 1);
  if (ConfigNode* member = parent->find(key))
    *member = value;
  else
    parent->members.emplace_back(key, value);
}

std::string one_line(const ConfigNode& value) {
  const ConfigNode plain = without_origins(value);
  if (plain.is_string()) return plain.text;
  std::string text;
  for (const char c : to_json(plain))
    if (c != '\n' && !(c == ' ' && (text.ends_with(' ') || text.ends_with('{') || text.ends_with('['))))
      text += c;
  return text;
}

}  // namespace heddle::run
