
#include <boost/json/parse.hpp>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/core/part_path.h"

namespace heddle {
namespace {

// Returns {"type": name} for an implementation that is given as a plain name, so that the caller can add
// parameters.
ConfigNode part_with_parameters(const ConfigNode& name) {
  ConfigNode part = ConfigNode::make_object(name.file);
  part.line = name.line;
  part.path = name.path;
  part.members.emplace_back("type", name);
  return part;
}

// Returns the node at `path` below `root`, and creates missing nodes. The path names items of a list as
// name[index] or name[type].
ConfigNode& descend(ConfigNode& root, std::string_view path, const std::string& where) {
  ConfigNode* node = &root;
  std::string walked;
  while (!path.empty()) {
    const std::size_t end = path.find('.');
    std::string_view step = path.substr(0, end);
    path = end == std::string_view::npos ? std::string_view{} : path.substr(end + 1);
    std::string_view key = step.substr(0, step.find('['));
    if (key.empty()) throw Error(where, "empty key in a path", "path.key=value, with items as name[0]");
    if (node->kind == ConfigNode::Kind::null) *node = ConfigNode::make_object(where);
    if (node->is_object() && node->find("value") && node->members.size() == 2) {
      ConfigNode inner = *node->find("value");
      *node = std::move(inner);
    }
    if (node->is_string()) *node = part_with_parameters(*node);
    if (!node->is_object()) throw Error(where, "\"" + walked + "\" is not an object");
    walked += (walked.empty() ? "" : ".") + std::string(key);
    if (ConfigNode* next = node->find(key)) {
      node = next;
    } else {
      node->members.emplace_back(std::string(key), ConfigNode{});
      node = &node->members.back().second;
      node->file = where;
      node->path = walked;
    }
    for (std::size_t open = step.find('['); open != std::string_view::npos; open = step.find('[', open + 1)) {
      const std::size_t close = step.find(']', open);
      if (close == std::string_view::npos || close == open + 1)
        throw Error(where, "unclosed [ in \"" + std::string(step) + "\"");
      const std::string_view selector = step.substr(open + 1, close - open - 1);
      ConfigNode* part = node->is_array() ? find_part(*node, selector) : nullptr;
      if (!part) throw Error(where, "\"" + walked + "\" has no item " + std::string(selector));
      walked += "[" + std::string(selector) + "]";
      node = part;
    }
  }
  return *node;
}

void adopt(ConfigNode& node, const std::string& file, const std::string& path) {
  node.file = file;
  node.line = 0;
  node.path = path;
  for (auto& [key, member] : node.members) adopt(member, file, path + "." + key);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    adopt(node.items[i], file, path + "[" + std::to_string(i) + "]");
}

}  // namespace

void set_config(ConfigNode& root, std::string_view assignment) {
  const std::string where = "--set " + std::string(assignment);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) throw Error(where, "no value", "path.key=value");
  const std::string_view path = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  ConfigNode parsed;
  boost::json::error_code ec;
  boost::json::parse(boost::json::string_view(value.data(), value.size()), ec);
  if (ec)
    parsed = ConfigNode::make_string(std::string(value), where);
  else
    parsed = parse_config_text(value, where);
  adopt(parsed, where, std::string(path));
  descend(root, path, where) = std::move(parsed);
}

}  // namespace heddle
