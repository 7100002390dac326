#include "testbench/cli/schema.h"

#include <fmt/format.h>

#include <limits>

#include "models/core/config_node.h"
#include "models/core/registry.h"
#include "testbench/run/parameter_list.h"
#include "testbench/run/run_parameters.h"

namespace heddle::cli {
namespace {

ConfigNode text(const std::string& value) { return ConfigNode::make_string(value); }
ConfigNode array(std::vector<ConfigNode> items) { return ConfigNode::make_list(std::move(items)); }
ConfigNode object(std::vector<std::pair<std::string, ConfigNode>> members) {
  ConfigNode node = ConfigNode::make_object();
  node.members = std::move(members);
  return node;
}
ConfigNode reference(const char* definition) {
  return object({{"$ref", text(std::string("#/$defs/") + definition)}});
}

ConfigNode path_schema() { return object({{"type", text("string")}, {"format", text("path")}}); }

std::string without_spaces(const std::string& family) {
  std::string key = family;
  for (char& c : key)
    if (c == ' ' || c == '/') c = '-';
  return key;
}

// Returns the schema of a value that a file may state in two forms: alone, or as an object with the value and
// its source.
ConfigNode with_origin(ConfigNode plain, const char* doc) {
  ConfigNode wrapped =
      object({{"type", text("object")},
              {"properties",
               object({{"value", plain}, {"source", reference("text")}, {"assumed", reference("text")}})},
              {"required", array({text("value")})},
              {"minProperties", ConfigNode::make_integer(2)},
              {"maxProperties", ConfigNode::make_integer(2)},
              {"additionalProperties", ConfigNode::make_boolean(false)}});
  return object({{"description", text(doc)}, {"anyOf", array({std::move(plain), std::move(wrapped)})}});
}

class SchemaWriter : public FieldVisitor {
 public:
  std::vector<std::pair<std::string, ConfigNode>> properties;

  void field(const char* name, int& value, IntRange range, const char* doc) override {
    put(name, with_origin(integer(range, value), doc));
  }
  void field(const char* name, std::uint64_t& value, IntRange range, const char* doc) override {
    put(name, with_origin(integer(range, static_cast<std::int64_t>(value)), doc));
  }
  void field(const char* name, double& value, RealRange range, const char* doc) override {
    ConfigNode node = object({{"type", text("number")}, {"minimum", ConfigNode::make_number(range.low)}});
    if (range.high != std::numeric_limits<double>::infinity())
      node.members.emplace_back("maximum", ConfigNode::make_number(range.high));
    node.members.emplace_back("default", ConfigNode::make_number(value));
    put(name, with_origin(std::move(node), doc));
  }
  void field(const char* name, bool& value, const char* doc) override {
    put(name,
        with_origin(object({{"type", text("boolean")}, {"default", ConfigNode::make_boolean(value)}}), doc));
  }
  void field(const char* name, std::string& value, const std::vector<std::string>& allowed,
             const char* doc) override {
    ConfigNode node = object({{"type", text("string")}});
    std::vector<ConfigNode> names;
    for (const std::string& one : allowed) names.push_back(text(one));
    if (!names.empty()) node.members.emplace_back("enum", array(std::move(names)));
    node.members.emplace_back("default", text(value));
    put(name, with_origin(std::move(node), doc));
  }
  void field(const char* name, std::vector<int>&, IntRange each, const char* doc) override {
    ConfigNode item = integer(each, each.low);
    item.members.pop_back();
    put(name, with_origin(object({{"type", text("array")}, {"items", std::move(item)}}), doc));
  }
  void field(const char* name, std::vector<std::string>&, const char* doc) override {
    put(name,
        with_origin(object({{"type", text("array")}, {"items", object({{"type", text("string")}})}}), doc));
  }
  void field(const char* name, NumberByKind& value, IntRange each, const char* doc) override {
    std::vector<std::pair<std::string, ConfigNode>> kinds;
    std::vector<ConfigNode> required;
    for (const std::string& kind : value.kinds) {
      kinds.emplace_back(kind, integer(each, each.low));
      kinds.back().second.members.pop_back();
      required.push_back(text(kind));
    }
    const ConfigNode one_each = object({{"type", text("object")},
                                        {"properties", object(std::move(kinds))},
                                        {"required", array(std::move(required))},
                                        {"additionalProperties", ConfigNode::make_boolean(false)}});
    put(name, with_origin(object({{"anyOf", array({integer(each, value.total()), one_each})}}), doc));
  }
  void path(const char* name) override {
    for (auto& [key, node] : properties)
      if (key == name) mark_path(node);
  }
  void choice(const char* name, ConfigNode&, const char* family, const char* doc) override {
    put(name, with_origin(reference(without_spaces(family).c_str()), doc));
  }
  void choices(const char* name, std::vector<ConfigNode>&, const char* family, const char* doc) override {
    put(name,
        with_origin(object({{"type", text("array")}, {"items", reference(without_spaces(family).c_str())}}),
                    doc));
  }

  ConfigNode finish(const char* doc) && {
    return object({{"type", text("object")},
                   {"description", text(doc)},
                   {"properties", object(std::move(properties))},
                   {"additionalProperties", ConfigNode::make_boolean(false)}});
  }

 protected:
  void nested(const char* name, const char* doc, const std::function<void(FieldVisitor&)>& visit) override {
    SchemaWriter inner;
    visit(inner);
    put(name, std::move(inner).finish(doc));
  }

 private:
  static ConfigNode integer(IntRange range, std::int64_t value) {
    return object({{"type", text("integer")},
                   {"minimum", ConfigNode::make_integer(range.low)},
                   {"maximum", ConfigNode::make_integer(range.high)},
                   {"default", ConfigNode::make_integer(value)}});
  }
  static void mark_path(ConfigNode& node) {
    if (const ConfigNode* type = node.find("type"); type && type->is_string() && type->text == "string")
      node.members.emplace_back("format", text("path"));
    for (auto& [key, member] : node.members) mark_path(member);
    for (ConfigNode& item : node.items) mark_path(item);
  }
  void put(const char* name, ConfigNode node) { properties.emplace_back(name, std::move(node)); }
};

ConfigNode part_schema(const Family& family) {
  std::vector<ConfigNode> names, forms;
  for (const PartInfo& part : family.parts()) names.push_back(text(part.name));
  forms.push_back(object({{"enum", array(std::move(names))}}));
  for (const PartInfo& part : family.parts()) {
    std::vector<std::pair<std::string, ConfigNode>> properties = {
        {"type", object({{"const", text(part.name)}})}};
    for (const FieldInfo& field : part.parameters) {
      const std::string group = field.path.substr(0, field.path.find('.'));
      if (group == field.path)
        properties.emplace_back(field.path, object({{"description", text(field.doc)}}));
      else if (properties.back().first != group)
        properties.emplace_back(group, object({{"type", text("object")}}));
    }
    forms.push_back(object({{"type", text("object")},
                            {"description", text(part.doc)},
                            {"properties", object(std::move(properties))},
                            {"required", array({text("type")})},
                            {"additionalProperties", ConfigNode::make_boolean(false)}}));
  }
  return object({{"description", text(family.name())}, {"anyOf", array(std::move(forms))}});
}

std::string cell(std::string value) {
  for (std::size_t at = 0; (at = value.find('|', at)) != std::string::npos; at += 2)
    value.replace(at, 1, "\\|");
  return value;
}

std::string rows(const std::vector<FieldInfo>& fields) {
  std::string out = "| key | type | default | allowed | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const FieldInfo& f : fields)
    out += fmt::format("| `{}` | {} | {} | {} | {}{} |\n", f.path, f.type, cell(f.default_value),
                       cell(f.range), cell(f.doc), f.off.empty() ? "" : fmt::format(". `{}`: off", f.off));
  return out;
}

}  // namespace

std::string scenario_schema() {
  run::RunParameters defaults;
  SchemaWriter writer;
  defaults.fields(writer);
  for (auto& [name, node] : writer.properties) {
    if (name != "gpu") continue;
    auto& members = node.find("properties")->members;
    members.insert(
        members.begin(),
        {"preset", object({{"type", text("string")},
                           {"format", text("path")},
                           {"description", text("GPU preset: a name in configs/gpu, or a file")}})});
    node = object({{"description", text("a preset by name or file, or a preset with changes")},
                   {"anyOf", array({path_schema(), node})}});
  }
  const auto short_key = [&](const char* name, ConfigNode node, const char* path) {
    node.members.insert(node.members.begin(), {"description", text(std::string("short for ") + path)});
    writer.properties.emplace_back(name, std::move(node));
  };
  short_key("scheduler", reference("warp-scheduler-policy"), "gpu.sm.scheduler");
  short_key("register_file_stages",
            object({{"type", text("array")}, {"items", reference("register-file-stage")}}),
            "gpu.sm.register_file.stages");
  short_key("passes", object({{"type", text("array")}, {"items", reference("compiler-pass")}}),
            "compiler.passes");
  short_key("registers", object({{"type", text("integer")}}), "compiler.max_registers");
  writer.properties.emplace_back(
      "like", object({{"description", text("scenario file that this one extends, relative to this file")},
                      {"type", text("string")},
                      {"format", text("path")}}));
  writer.properties.emplace_back(
      "with", object({{"description", text("techniques: names in configs/techniques, or files")},
                      {"type", text("array")},
                      {"items", path_schema()}}));
  writer.properties.emplace_back("$schema", object({{"type", text("string")}}));
  writer.properties.emplace_back("format", object({{"const", ConfigNode::make_integer(1)}}));

  ConfigNode root = std::move(writer).finish("one run of Heddle");
  std::vector<std::pair<std::string, ConfigNode>> definitions = {
      {"text", object({{"type", text("string")}})}};
  for (const auto& [place, family] : Families::instance().by_place())
    definitions.emplace_back(without_spaces(family->name()), part_schema(*family));
  root.members.emplace_back("$defs", object(std::move(definitions)));
  root.members.insert(root.members.begin(),
                      {{"$schema", text("https://json-schema.org/draft/2020-12/schema")},
                       {"title", text("Heddle scenario")}});
  return to_json(root);
}

std::string preset_schema() {
  ConfigNode scenario = parse_config_text(scenario_schema(), "scenario schema");
  ConfigNode root = std::move(scenario.find("properties")->find("gpu")->find("anyOf")->items[1]);
  std::erase_if(root.find("properties")->members,
                [](const auto& member) { return member.first == "preset"; });
  root.find("properties")->members.emplace_back("$schema", object({{"type", text("string")}}));
  root.find("properties")->members.emplace_back("format", object({{"const", ConfigNode::make_integer(1)}}));
  root.find("properties")
      ->members.emplace_back("like", object({{"type", text("string")},
                                             {"format", text("path")},
                                             {"description", text("GPU preset that this one extends")}}));
  root.find("properties")
      ->members.emplace_back(
          "passes", object({{"type", text("array")},
                            {"items", reference("compiler-pass")},
                            {"description", text("compiler passes that programs for this GPU need")}}));
  root.members.emplace_back("$defs", std::move(*scenario.find("$defs")));
  root.members.insert(root.members.begin(),
                      {{"$schema", text("https://json-schema.org/draft/2020-12/schema")},
                       {"title", text("Heddle GPU preset")}});
  return to_json(root);
}

std::string parameters_page() {
  std::string out =
      "# All parameters\n\nMade by `heddle schema parameters`. Any key can be set in a scenario, and on "
      "the command line with\n`--set key=value`. A part of a family is named (`\"gto\"`), or is an object "
      "with its parameters\n"
      "(`{\"type\": \"two-level\", \"active_warps\": 8}`).\n\n## A run\n\n";
  out += rows(describe_fields<run::RunParameters>());
  out += "\nShort keys of a scenario: `scheduler`, `register_file_stages`, `passes`, `registers`.\n";
  for (const auto& [place, family] : Families::instance().by_place()) {
    out += fmt::format("\n## Family: {} (`{}`)\n", family->name(), place);
    for (const PartInfo& part : family->parts()) {
      out += fmt::format("\n### `{}`\n\n{}\n", part.name, part.doc);
      if (!part.parameters.empty()) out += "\n" + rows(part.parameters);
    }
  }
  return out;
}

std::string parameters_json() {
  ConfigNode all = ConfigNode::make_list();
  for (const run::ListedParameter& one : run::list_parameters()) {
    ConfigNode node = object({{"path", text(one.path)},
                              {"family", text(one.family)},
                              {"part", text(one.part)},
                              {"name", text(one.field.path)},
                              {"type", text(one.field.type)},
                              {"default", text(one.field.default_value)},
                              {"range", text(one.field.range)},
                              {"doc", text(one.field.doc)}});
    if (!one.field.off.empty()) node.members.emplace_back("off", text(one.field.off));
    all.items.push_back(std::move(node));
  }
  return to_json(all);
}

}  // namespace heddle::cli
