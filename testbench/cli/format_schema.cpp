// Makes the JSON Schema of a file format. The declaration of an object's keys (class ObjectForm) becomes a
// schema of type "object". The type of each key becomes the schema of a property. Named types become
// definitions.

#include "testbench/cli/format_schema.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/core/object_form.h"

namespace heddle::cli {
namespace {

using Members = std::vector<std::pair<std::string, ConfigNode>>;

ConfigNode string_of(const std::string& value) { return ConfigNode::make_string(value); }
ConfigNode list_of(std::vector<ConfigNode> items) { return ConfigNode::make_list(std::move(items)); }
ConfigNode object_of(Members members) {
  ConfigNode node = ConfigNode::make_object();
  node.members = std::move(members);
  return node;
}

class TypeReader {
 public:
  TypeReader(const FileForm& file, std::string_view type) : file_(file), whole_(type), rest_(type) {}

  ConfigNode read() {
    ConfigNode schema = alternatives();
    if (!rest_.empty()) fail();
    return schema;
  }

 private:
  ConfigNode alternatives() {
    std::vector<ConfigNode> all;
    do all.push_back(repeated());
    while (take("|"));
    if (all.size() == 1) return std::move(all.front());
    const bool constants =
        std::all_of(all.begin(), all.end(), [](const ConfigNode& one) { return one.find("const"); });
    if (!constants) return object_of({{"anyOf", list_of(std::move(all))}});
    for (ConfigNode& one : all) one = *one.find("const");
    return object_of({{"enum", list_of(std::move(all))}});
  }

  ConfigNode repeated() {
    ConfigNode schema = single();
    for (;;) {
      if (take("{}")) {
        schema = object_of({{"type", string_of("object")}, {"additionalProperties", std::move(schema)}});
      } else if (take("[")) {
        const std::string low = digits();
        const bool range = take("-");
        const std::string high = range ? digits() : low;
        if (!take("]")) fail();
        Members list = {{"type", string_of("array")}};
        if (!low.empty()) list.emplace_back("minItems", number(low));
        if (!high.empty()) list.emplace_back("maxItems", number(high));
        list.emplace_back("items", std::move(schema));
        schema = object_of(std::move(list));
      } else {
        return schema;
      }
    }
  }

  ConfigNode single() {
    if (take("(")) {
      ConfigNode inner = alternatives();
      if (!take(")")) fail();
      return inner;
    }
    if (take("'")) {
      const std::string value = up_to('\'');
      const bool numeric = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
      return object_of({{"const", numeric ? number(value) : string_of(value)}});
    }
    if (take("/")) return object_of({{"type", string_of("string")}, {"pattern", string_of(up_to('/'))}});
    return named(word());
  }

  ConfigNode named(const std::string& name) {
    if (name == "any") return ConfigNode::make_boolean(true);
    if (name == "text")
      return object_of({{"type", string_of("string")}, {"minLength", ConfigNode::make_integer(1)}});
    if (name == "path")
      return object_of({{"type", string_of("string")},
                        {"format", string_of("path")},
                        {"minLength", ConfigNode::make_integer(1)}});
    if (name == "integer" || name == "number") {
      Members limits = {{"type", string_of(name)}};
      if (take(">="))
        limits.emplace_back("minimum", number(digits()));
      else if (take(">"))
        limits.emplace_back("exclusiveMinimum", number(digits()));
      return object_of(std::move(limits));
    }
    for (const char* plain : {"string", "boolean", "object", "null"})
      if (name == plain) return object_of({{"type", string_of(name)}});
    if (!file_.objects.contains(name) && !file_.types.contains(name)) fail();
    return object_of({{"$ref", string_of("#/$defs/" + name)}});
  }

  bool take(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  std::string take_while(bool (*wanted)(char)) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), wanted);
    std::string taken(rest_.begin(), end);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string word() {
    return take_while([](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  }
  std::string digits() {
    return take_while([](char c) { return c >= '0' && c <= '9'; });
  }
  std::string up_to(char end) {
    const std::size_t length = rest_.find(end);
    if (length == std::string_view::npos) fail();
    std::string taken(rest_.substr(0, length));
    rest_.remove_prefix(length + 1);
    return taken;
  }
  ConfigNode number(const std::string& text) const {
    std::int64_t value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) fail();
    return ConfigNode::make_integer(value);
  }
  [[noreturn]] void fail() const {
    throw InternalError("no type of a key: " + std::string(whole_) + ", at: " + std::string(rest_));
  }

  const FileForm& file_;
  std::string_view whole_, rest_;
};

void describe(ConfigNode& schema, const std::string& doc) {
  if (doc.empty()) return;
  if (!schema.is_object()) schema = object_of({});
  schema.members.insert(schema.members.begin(), {"description", string_of(doc)});
}

ConfigNode schema_of(const FileForm& file, const std::string& type, const std::string& doc) {
  ConfigNode schema = TypeReader(file, type).read();
  describe(schema, doc);
  return schema;
}

ConfigNode names_of(const std::vector<std::string>& names) {
  std::vector<ConfigNode> items;
  for (const std::string& name : names) items.push_back(string_of(name));
  return list_of(std::move(items));
}

ConfigNode schema_of(const FileForm& file, const ObjectForm& form) {
  Members properties;
  std::vector<std::string> required;
  for (const ObjectForm::Key& key : form.keys()) {
    properties.emplace_back(key.name, schema_of(file, key.type, key.doc));
    if (key.required) required.push_back(key.name);
  }
  ConfigNode schema = object_of({{"type", string_of("object")}});
  describe(schema, form.doc());
  if (!required.empty()) schema.members.emplace_back("required", names_of(required));
  std::vector<ConfigNode> groups;
  for (const std::vector<std::string>& group : form.one_of())
    groups.push_back(object_of({{"required", names_of(group)}}));
  if (!groups.empty()) schema.members.emplace_back("oneOf", list_of(std::move(groups)));
  schema.members.emplace_back("properties", object_of(std::move(properties)));
  schema.members.emplace_back("additionalProperties", ConfigNode::make_boolean(false));
  return schema;
}

}  // namespace

std::string format_schema(const std::string& format) {
  const FileForm& file = file_forms().at(format);
  ConfigNode root = schema_of(file, *file.root);
  root.members.insert(root.members.begin(),
                      {{"$schema", string_of("https://json-schema.org/draft/2020-12/schema")},
                       {"title", string_of("Heddle " + format)}});
  std::map<std::string, ConfigNode> definitions;
  for (const auto& [name, form] : file.objects) definitions.emplace(name, schema_of(file, *form));
  for (const auto& [name, form] : file.types)
    definitions.emplace(name, schema_of(file, form->type(), form->doc()));
  root.members.emplace_back("$defs", object_of({definitions.begin(), definitions.end()}));
  return to_json(root);
}

}  // namespace heddle::cli
