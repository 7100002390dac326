#include "models/core/config_node.h"

#include "models/core/error.h"

namespace heddle {

ConfigNode::ConfigNode() = default;

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const auto& [name, member] : members)
    if (name == key) return &member;
  return nullptr;
}

ConfigNode* ConfigNode::find(std::string_view key) {
  return const_cast<ConfigNode*>(static_cast<const ConfigNode*>(this)->find(key));
}

std::string ConfigNode::where() const {
  std::string place = file;
  if (line > 0) place += ":" + std::to_string(line);
  if (const std::string keys = path; !keys.empty()) place += (place.empty() ? "" : ": ") + keys;
  return place;
}

const ConfigNode& ConfigNode::unwrapped() const {
  if (!is_object()) return *this;
  const ConfigNode* inner = find("value");
  if (!inner) return *this;
  const bool cited = find("source") != nullptr, assumed = find("assumed") != nullptr;
  if (cited == assumed || members.size() != 2)
    throw Error(where(),
                "a value with its origin needs exactly one of \"source\" and \"assumed\" beside \"value\"",
                "{\"value\": v, \"source\": \"...\"} or {\"value\": v, \"assumed\": \"why\"}");
  return *inner;
}

ConfigNode ConfigNode::make_object(SourceName file) {
  ConfigNode node;
  node.kind = Kind::object;
  node.file = std::move(file);
  return node;
}
ConfigNode ConfigNode::make_list(std::vector<ConfigNode> nodes, SourceName file) {
  ConfigNode node;
  node.kind = Kind::array;
  node.items = std::move(nodes);
  node.file = std::move(file);
  return node;
}
ConfigNode ConfigNode::make_texts(const std::vector<std::string>& texts, const SourceName& file) {
  ConfigNode list = make_list();
  for (const std::string& text : texts) list.items.push_back(make_string(text, file));
  return list;
}
ConfigNode ConfigNode::make_string(std::string value, SourceName file) {
  ConfigNode node;
  node.kind = Kind::string;
  node.text = std::move(value);
  node.file = std::move(file);
  return node;
}
ConfigNode ConfigNode::make_integer(std::int64_t value, SourceName file) {
  ConfigNode node;
  node.kind = Kind::number;
  node.is_integer = true;
  node.integer = value;
  node.number = static_cast<double>(value);
  node.file = std::move(file);
  return node;
}
ConfigNode ConfigNode::make_count(std::uint64_t value, SourceName file) {
  ConfigNode node = make_integer(static_cast<std::int64_t>(value), std::move(file));
  node.number = static_cast<double>(value);
  return node;
}
ConfigNode ConfigNode::make_number(double value, SourceName file) {
  ConfigNode node;
  node.kind = Kind::number;
  node.number = value;
  node.file = std::move(file);
  return node;
}
ConfigNode ConfigNode::make_boolean(bool value, SourceName file) {
  ConfigNode node;
  node.kind = Kind::boolean;
  node.boolean = value;
  node.file = std::move(file);
  return node;
}

void merge_config(ConfigNode& base, const ConfigNode& over) {
  const bool wrapped = base.is_object() && base.find("value") && base.members.size() == 2;
  if (!base.is_object() || !over.is_object() || wrapped || over.find("value") || over.find("type")) {
    base = over;
    return;
  }
  for (const auto& [key, member] : over.members) {
    if (ConfigNode* mine = base.find(key))
      merge_config(*mine, member);
    else
      base.members.emplace_back(key, member);
  }
}

int format_of(const ConfigNode& root, const std::string& what, int oldest, int newest, bool required) {
  if (!root.is_object()) throw Error(root.where(), "not " + what, "an object");
  const ConfigNode* format = root.find("format");
  const std::string allowed =
      (oldest < newest ? std::to_string(oldest) + " to " : "") + std::to_string(newest);
  if (!format && required) throw Error(root.file, "not " + what + ": it has no \"format\"", allowed);
  if (!format) return newest;
  if (!format->is_integer || format->number < 1)
    throw Error(format->where(), "not the version of a format", allowed);
  if (format->number < oldest || format->number > newest)
    throw Error(format->where(),
                "format " + std::to_string(static_cast<std::uint64_t>(format->integer)) + " of " + what +
                    " is of " + (format->number < oldest ? "an older" : "a newer") + " version of Heddle",
                allowed);
  return static_cast<int>(format->integer);
}

}  // namespace heddle
