// heddle list: prints what Heddle has: families of exchangeable parts, parts with their parameters, presets,
// techniques, scenarios, technologies, experiments, kernels, metrics and counters.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "models/core/config_head.h"
#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/core/registry.h"
#include "models/core/unknown_name.h"
#include "testbench/cli/commands.h"
#include "testbench/output/described_values.h"
#include "testbench/run/data_files.h"
#include "testbench/run/technique_file.h"

namespace heddle::cli {
namespace {

struct FamilyGroup {
  std::string name, place;
  std::vector<PartInfo> parts;
};

struct FileGroup {
  std::string name, folder;
  std::vector<std::pair<std::string, std::string>> files;
  std::map<std::string, ConfigNode> tables;
  std::map<std::string, std::string> papers;
  std::map<std::string, run::Technique> techniques;
};

struct ValueGroup {
  std::string name, place;
  std::map<std::string, output::DescribedValue> values;
};

std::string text_in(const std::string& file, const std::string& member) {
  const ConfigNode tree = parse_config_head(file, member);
  const ConfigNode* value = tree.find(member);
  return value && value->unwrapped().is_string() ? value->unwrapped().text : "";
}

std::string description_of(const std::string& file) { return text_in(file, "description"); }

FileGroup json_files(const std::string& name, const std::string& folder) {
  FileGroup group{name, folder, {}, {}, {}, {}};
  for (const std::string& file : run::list_data(folder, ".json"))
    group.files.emplace_back(file, description_of(run::find_data(folder + "/" + file + ".json")));
  return group;
}

FileGroup techniques() {
  FileGroup group = json_files("techniques", "configs/techniques");
  for (const auto& [file, doc] : group.files) {
    const std::string path = run::find_data(group.folder + "/" + file + ".json");
    const std::string paper = text_in(path, "paper");
    if (!paper.empty()) group.papers.emplace(file, paper);
    std::vector<std::string> files;
    group.techniques.emplace(file, run::read_technique(path, files));
  }
  return group;
}

FileGroup technologies() {
  FileGroup group = json_files("technologies", "configs/technology");
  for (const auto& [file, doc] : group.files) {
    const ConfigNode tree = parse_config_file(run::find_data(group.folder + "/" + file + ".json"));
    if (const ConfigNode* tables = tree.find("tables")) group.tables.emplace(file, *tables);
  }
  return group;
}

FileGroup kernels() {
  const std::string folder = "testbench/kernels";
  FileGroup group{"kernels", folder, {}, {}, {}, {}};
  const std::string place = run::find_data(folder);
  if (place.empty()) return group;
  for (const auto& entry : std::filesystem::directory_iterator(place)) {
    const std::filesystem::path launch = entry.path() / "launch.json";
    if (std::filesystem::exists(launch))
      group.files.emplace_back(entry.path().filename().string(), description_of(launch.string()));
  }
  std::sort(group.files.begin(), group.files.end());
  return group;
}

void print_family(const FamilyGroup& family) {
  fmt::print("{} ({})\n", family.name, family.place);
  for (const PartInfo& part : family.parts) {
    const auto& properties = part.traits.properties;
    fmt::print("  {:<22} {}{}\n", part.name, part.doc,
               properties.empty() ? "" : fmt::format(" ({})", fmt::join(properties, ", ")));
    for (const FieldInfo& field : part.parameters)
      fmt::print("    {:<28} {:<14} {:<16} {}\n", field.path, field.default_value, field.range, field.doc);
  }
  fmt::print("\n");
}

std::string numbers_of(const ConfigNode& node) {
  if (!node.is_array()) return fmt::format("{}", node.unwrapped().number);
  std::string text;
  for (const ConfigNode& item : node.items) text += (text.empty() ? "" : " ") + numbers_of(item);
  return text;
}

// Prints a table of energies from a paper: first the values of the table's axes, then the energies.
void print_tables(const ConfigNode& tables) {
  for (const auto& [name, table] : tables.members) {
    fmt::print("    {}\n", name);
    if (const ConfigNode* axes = table.find("axes"))
      for (const ConfigNode& axis : axes->items)
        fmt::print("      {:<10} {}\n", axis.find("name")->text, numbers_of(*axis.find("at")));
    if (const ConfigNode* values = table.find("values"))
      fmt::print("      {:<10} {}\n", "value", numbers_of(*values));
  }
}

void print_files(const FileGroup& group) {
  fmt::print("{} ({})\n", group.name, group.folder);
  for (const auto& [name, doc] : group.files) {
    const auto paper = group.papers.find(name);
    fmt::print("  {:<22} {}{}\n", name, doc,
               paper == group.papers.end() ? "" : fmt::format(" ({})", paper->second));
    if (const auto tables = group.tables.find(name); tables != group.tables.end())
      print_tables(tables->second);
  }
  if (group.files.empty()) fmt::print("  none\n");
  fmt::print("\n");
}

void print_values(const ValueGroup& group) {
  fmt::print("{} ({})\n", group.name, group.place);
  for (const auto& [name, value] : group.values)
    fmt::print("  {:<44} {:<24} {}\n", name, value.unit, value.doc);
  fmt::print("\n");
}

ConfigNode text(const std::string& value) { return ConfigNode::make_string(value); }

ConfigNode json_of(const ValueGroup& group) {
  ConfigNode values = ConfigNode::make_list();
  for (const auto& [name, value] : group.values) {
    ConfigNode node = ConfigNode::make_object();
    node.members = {{"name", text(name)}, {"unit", text(value.unit)}, {"doc", text(value.doc)}};
    values.items.push_back(std::move(node));
  }
  ConfigNode node = ConfigNode::make_object();
  node.members = {{"name", text(group.name)}, {"place", text(group.place)}, {"parts", std::move(values)}};
  return node;
}

void add_technique(const run::Technique& technique, ConfigNode& node) {
  ConfigNode axes = ConfigNode::make_list(), requirements = ConfigNode::make_list();
  for (const run::TechniqueAxis& axis : technique.axes) axes.items.push_back(text(axis.name));
  for (const run::Technique::Requirement& requirement : technique.requirements) {
    ConfigNode one = ConfigNode::make_object();
    one.members = {{"parameter", text(requirement.path)},
                   {"allowed", text(run::allowed_by(requirement))},
                   {"why", text(requirement.why)}};
    requirements.items.push_back(std::move(one));
  }
  node.members.emplace_back("axes", std::move(axes));
  node.members.emplace_back("requirements", std::move(requirements));
}

ConfigNode json_of(const FamilyGroup& family) {
  ConfigNode parts = ConfigNode::make_list();
  for (const PartInfo& part : family.parts) {
    ConfigNode parameters = ConfigNode::make_list();
    for (const FieldInfo& field : part.parameters) {
      ConfigNode row = ConfigNode::make_object();
      row.members = {{"name", text(field.path)},
                     {"type", text(field.type)},
                     {"default", text(field.default_value)},
                     {"range", text(field.range)},
                     {"doc", text(field.doc)}};
      parameters.items.push_back(std::move(row));
    }
    ConfigNode node = ConfigNode::make_object();
    node.members = {
        {"name", text(part.name)}, {"doc", text(part.doc)}, {"parameters", std::move(parameters)}};
    parts.items.push_back(std::move(node));
  }
  ConfigNode node = ConfigNode::make_object();
  node.members = {{"name", text(family.name)}, {"place", text(family.place)}, {"parts", std::move(parts)}};
  return node;
}

ConfigNode json_of(const FileGroup& group) {
  ConfigNode files = ConfigNode::make_list();
  for (const auto& [name, doc] : group.files) {
    ConfigNode file = ConfigNode::make_object();
    file.members = {{"name", text(name)}, {"doc", text(doc)}};
    if (const auto paper = group.papers.find(name); paper != group.papers.end())
      file.members.emplace_back("paper", text(paper->second));
    if (const auto technique = group.techniques.find(name); technique != group.techniques.end())
      add_technique(technique->second, file);
    if (const auto tables = group.tables.find(name); tables != group.tables.end())
      file.members.emplace_back("tables", tables->second);
    files.items.push_back(std::move(file));
  }
  ConfigNode node = ConfigNode::make_object();
  node.members = {{"name", text(group.name)}, {"place", text(group.folder)}, {"parts", std::move(files)}};
  return node;
}

// heddle list prints metrics and counters only if the user names them or gives --json, because these lists
// are long.
constexpr const char* kMetrics = "metrics";
constexpr const char* kCounters = "counters";

int list(const std::string& wanted, bool json) {
  ConfigNode all = ConfigNode::make_list();
  std::vector<std::string> names;
  bool found = false;
  const auto is_wanted = [&wanted](const std::string& name) {
    return wanted.empty() || name.find(wanted) != std::string::npos;
  };
  const auto show = [&](const auto& group, void (*print)(const std::decay_t<decltype(group)>&)) {
    names.push_back(group.name);
    if (!is_wanted(group.name)) return;
    found = true;
    if (json)
      all.items.push_back(json_of(group));
    else
      print(group);
  };
  for (const auto& [place, family] : Families::instance().by_place())
    show(FamilyGroup{family->name(), place, family->parts()}, print_family);
  show(json_files("presets", "configs/gpu"), print_files);
  show(techniques(), print_files);
  show(json_files("scenarios", "configs/scenarios"), print_files);
  show(technologies(), print_files);
  show(json_files("experiments", "configs/experiments"), print_files);
  show(kernels(), print_files);
  names.insert(names.end(), {kMetrics, kCounters});
  if ((json || !wanted.empty()) && (is_wanted(kMetrics) || is_wanted(kCounters))) {
    const output::DescribedValues described = output::describe_all_machines();
    show(ValueGroup{kMetrics, "metrics of result.json", described.metrics()}, print_values);
    show(ValueGroup{kCounters, "counters of result.json, summed over like units", described.counters()},
         print_values);
  }
  if (!found) throw unknown_name("heddle list", "family", wanted, names);
  if (json) fmt::print("{}", to_json(all));
  return kSuccess;
}

}  // namespace

Action add_list(CLI::App& app) {
  struct Options {
    std::string family;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("family", options->family,
                 "only families whose name contains this word, such as scheduler, metrics or counters");
  app.add_flag("--json", options->json, "as JSON");
  return [options] { return list(options->family, options->json); };
}

}  // namespace heddle::cli
