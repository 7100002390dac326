#include "models/core/fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/unknown_name.h"

namespace heddle {
namespace {

std::string joined(const std::vector<std::string>& names, const char* separator) {
  return fmt::format("{}", fmt::join(names, separator));
}

const char* kind_name(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::null:
      return "null";
    case ConfigNode::Kind::boolean:
      return "a boolean";
    case ConfigNode::Kind::number:
      return "a number";
    case ConfigNode::Kind::string:
      return "a string";
    case ConfigNode::Kind::array:
      return "a list";
    case ConfigNode::Kind::object:
      return "an object";
  }
  return "?";
}

class Reader : public FieldVisitor {
 public:
  explicit Reader(const ConfigNode& object) : object_(object) {
    if (!object.is_object())
      throw Error(object.where(), fmt::format("expected an object, found {}", kind_name(object)));
  }

  void field(const char* name, int& value, IntRange range, const char*) override {
    if (const ConfigNode* node = take(name)) value = static_cast<int>(integer(*node, range));
  }
  void field(const char* name, std::uint64_t& value, IntRange range, const char*) override {
    if (const ConfigNode* node = take(name)) value = static_cast<std::uint64_t>(integer(*node, range));
  }
  void field(const char* name, double& value, RealRange range, const char*) override {
    const ConfigNode* node = take(name);
    if (!node) return;
    if (!node->is_number()) wrong_type(*node, "a number");
    if (!(node->number >= range.low && node->number <= range.high))
      throw Error(node->where(), fmt::format("{} is out of range", node->number),
                  fmt::format("{} to {}", range.low, range.high));
    value = node->number;
  }
  void field(const char* name, bool& value, const char*) override {
    const ConfigNode* node = take(name);
    if (!node) return;
    if (node->kind != ConfigNode::Kind::boolean) wrong_type(*node, "true or false");
    value = node->boolean;
  }
  void field(const char* name, std::string& value, const std::vector<std::string>& allowed,
             const char*) override {
    const ConfigNode* node = take(name);
    if (!node) return;
    if (!node->is_string()) wrong_type(*node, "a string");
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), node->text) == allowed.end())
      throw unknown_name(node->where(), "value", node->text, allowed);
    value = node->text;
  }
  void field(const char* name, std::vector<int>& value, IntRange each, const char*) override {
    const ConfigNode* node = take(name);
    if (!node) return;
    if (!node->is_array()) wrong_type(*node, "a list of integers");
    value.clear();
    for (const ConfigNode& item : node->items)
      value.push_back(static_cast<int>(integer(item.unwrapped(), each)));
  }
  void field(const char* name, std::vector<std::string>& value, const char*) override {
    const ConfigNode* node = take(name);
    if (!node) return;
    if (!node->is_array()) wrong_type(*node, "a list of strings");
    value.clear();
    for (const ConfigNode& item : node->items) {
      if (!item.unwrapped().is_string()) wrong_type(item, "a string");
      value.push_back(item.unwrapped().text);
    }
  }
  void field(const char* name, NumberByKind& value, IntRange each, const char*) override {
    const ConfigNode* node = take(name);
    if (!node) return;
    if (!node->is_object()) {
      value.values = {static_cast<int>(integer(*node, each))};
      return;
    }
    value.values.assign(value.kinds.size(), 0);
    read_fields_from(*node, [&](FieldVisitor& kind) {
      for (std::size_t k = 0; k < value.kinds.size(); ++k)
        kind.field(value.kinds[k].c_str(), value.values[k], each, "");
    });
    for (const std::string& kind : value.kinds)
      if (!node->find(kind))
        throw Error(node->where(), fmt::format("no number for \"{}\"", kind),
                    fmt::format("one number, or one for each of {}", joined(value.kinds, ", ")));
  }
  void choice(const char* name, ConfigNode& value, const char*, const char*) override {
    if (const ConfigNode* node = take(name)) value = *node;
  }
  void choices(const char* name, std::vector<ConfigNode>& value, const char*, const char*) override {
    const ConfigNode* node = take(name);
    if (!node) return;
    if (!node->is_array()) wrong_type(*node, "a list");
    value.clear();
    for (const ConfigNode& item : node->items) value.push_back(item.unwrapped());
  }

  // Throws Error if the object has keys that no field() call has read.
  void finish() const {
    for (const auto& [key, member] : object_.members)
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        throw unknown_name(member.where(), "key", key, known_, known_.empty() ? "no keys" : "");
  }

 protected:
  void nested(const char* name, const char*, const std::function<void(FieldVisitor&)>& visit) override {
    if (const ConfigNode* node = take(name)) read_fields_from(*node, visit);
  }

 private:
  const ConfigNode* take(const char* name) {
    known_.emplace_back(name);
    const ConfigNode* node = object_.find(name);
    return node ? &node->unwrapped() : nullptr;
  }
  [[noreturn]] static void wrong_type(const ConfigNode& node, const char* expected) {
    throw Error(node.where(), fmt::format("expected {}, found {}", expected, kind_name(node)));
  }
  static std::int64_t integer(const ConfigNode& node, IntRange range) {
    if (!node.is_number() || !node.is_integer) wrong_type(node, "an integer");
    if (node.integer < 0 && node.number > 0)
      throw Error(node.where(), fmt::format("{} is out of range", static_cast<std::uint64_t>(node.integer)),
                  fmt::format("{}..{}", range.low, range.high));
    if (node.integer < range.low || node.integer > range.high)
      throw Error(node.where(), fmt::format("{} is out of range", node.integer),
                  fmt::format("{} to {}", range.low, range.high));
    return node.integer;
  }

  const ConfigNode& object_;
  std::vector<std::string> known_;
};

class Dumper : public FieldVisitor {
 public:
  ConfigNode tree = ConfigNode::make_object();

  void field(const char* name, int& value, IntRange, const char*) override {
    add(name, ConfigNode::make_integer(value));
  }
  void field(const char* name, std::uint64_t& value, IntRange, const char*) override {
    add(name, ConfigNode::make_count(value));
  }
  void field(const char* name, double& value, RealRange, const char*) override {
    add(name, ConfigNode::make_number(value));
  }
  void field(const char* name, bool& value, const char*) override {
    add(name, ConfigNode::make_boolean(value));
  }
  void field(const char* name, std::string& value, const std::vector<std::string>&, const char*) override {
    add(name, ConfigNode::make_string(value));
  }
  void field(const char* name, std::vector<int>& value, IntRange, const char*) override {
    ConfigNode list = ConfigNode::make_list();
    for (int item : value) list.items.push_back(ConfigNode::make_integer(item));
    add(name, std::move(list));
  }
  void field(const char* name, std::vector<std::string>& value, const char*) override {
    add(name, ConfigNode::make_texts(value));
  }
  void field(const char* name, NumberByKind& value, IntRange, const char*) override {
    if (!value.by_kind()) return add(name, ConfigNode::make_integer(value.values.front()));
    ConfigNode each = ConfigNode::make_object();
    for (std::size_t k = 0; k < value.kinds.size(); ++k)
      each.members.emplace_back(value.kinds[k], ConfigNode::make_integer(value.values[k]));
    add(name, std::move(each));
  }
  void choice(const char* name, ConfigNode& value, const char*, const char*) override { add(name, value); }
  void choices(const char* name, std::vector<ConfigNode>& value, const char*, const char*) override {
    add(name, ConfigNode::make_list(value));
  }

 protected:
  void nested(const char* name, const char*, const std::function<void(FieldVisitor&)>& visit) override {
    add(name, dump_fields_of(visit));
  }

 private:
  void add(const char* name, ConfigNode node) { tree.members.emplace_back(name, std::move(node)); }
};

class Describer : public FieldVisitor {
 public:
  std::vector<FieldInfo> rows;

  void field(const char* name, int& value, IntRange range, const char* doc) override {
    rows.push_back(
        {name, "integer", std::to_string(value), fmt::format("{}..{}", range.low, range.high), doc});
  }
  void field(const char* name, std::uint64_t& value, IntRange range, const char* doc) override {
    rows.push_back(
        {name, "integer", std::to_string(value), fmt::format("{}..{}", range.low, range.high), doc});
  }
  void field(const char* name, double& value, RealRange range, const char* doc) override {
    rows.push_back(
        {name, "number", fmt::format("{}", value), fmt::format("{}..{}", range.low, range.high), doc});
  }
  void field(const char* name, bool& value, const char* doc) override {
    rows.push_back({name, "boolean", value ? "true" : "false", "true | false", doc});
  }
  void field(const char* name, std::string& value, const std::vector<std::string>& allowed,
             const char* doc) override {
    rows.push_back({name, "string", value, joined(allowed, " | "), doc});
  }
  void field(const char* name, std::vector<int>& value, IntRange each, const char* doc) override {
    rows.push_back({name, "integer list", fmt::format("[{}]", fmt::join(value, ", ")),
                    fmt::format("{}..{}", each.low, each.high), doc});
  }
  void field(const char* name, std::vector<std::string>& value, const char* doc) override {
    rows.push_back({name, "string list", fmt::format("[{}]", fmt::join(value, ", ")), "", doc});
  }
  void field(const char* name, NumberByKind& value, IntRange each, const char* doc) override {
    rows.push_back({name, fmt::format("integer, or one for each of {}", joined(value.kinds, ", ")),
                    fmt::format("{}", fmt::join(value.values, ", ")),
                    fmt::format("{}..{}", each.low, each.high), doc});
  }
  void choice(const char* name, ConfigNode& value, const char* family, const char* doc) override {
    rows.push_back({name, std::string("choice of ") + family, label(value), "", doc});
  }
  void choices(const char* name, std::vector<ConfigNode>& value, const char* family,
               const char* doc) override {
    std::vector<std::string> names;
    for (const ConfigNode& item : value) names.push_back(label(item));
    rows.push_back({name, std::string("list of ") + family, "[" + joined(names, ", ") + "]", "", doc});
  }
  void off(const char* name, const char* value, const std::vector<std::string>& without) override {
    switches_.push_back({name, without});
    for (FieldInfo& row : rows)
      if (row.path == name) row.off = value;
  }

  std::vector<FieldInfo> finish() && {
    for (const auto& [name, without] : switches_)
      for (FieldInfo& row : rows)
        for (const std::string& one : without)
          if (row.path == one || row.path.starts_with(one + ".")) row.switches.push_back(name);
    return std::move(rows);
  }

 protected:
  void nested(const char* name, const char*, const std::function<void(FieldVisitor&)>& visit) override {
    for (FieldInfo row : describe_fields_of(visit)) {
      row.path = std::string(name) + "." + row.path;
      for (std::string& other : row.switches) other = std::string(name) + "." + other;
      rows.push_back(std::move(row));
    }
  }

 private:
  static std::string label(const ConfigNode& node) {
    if (node.is_string()) return node.text;
    const ConfigNode* type = node.find("type");
    return type ? type->text : "";
  }

  std::vector<std::pair<std::string, std::vector<std::string>>> switches_;
};

}  // namespace

void read_fields_from(const ConfigNode& object, const std::function<void(FieldVisitor&)>& visit) {
  Reader reader(object);
  visit(reader);
  reader.finish();
}

ConfigNode dump_fields_of(const std::function<void(FieldVisitor&)>& visit) {
  Dumper dumper;
  visit(dumper);
  return std::move(dumper.tree);
}

std::vector<FieldInfo> describe_fields_of(const std::function<void(FieldVisitor&)>& visit) {
  Describer describer;
  visit(describer);
  return std::move(describer).finish();
}

}  // namespace heddle
