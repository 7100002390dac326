#include "testbench/run/energy_setup.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "models/banks/i_entry_format.h"
#include "models/core/error.h"
#include "models/core/registry.h"
#include "power/corners.h"
#include "testbench/run/data_files.h"
#include "testbench/run/scenario.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTechnologies = "configs/technology";

ConfigNode default_value(const FieldInfo& field) {
  if (field.type == "integer" || field.type == "number" || field.type == "boolean")
    return parse_config_text(field.default_value, "default");
  return ConfigNode::make_string(field.default_value, "default");
}

void put_default(ConfigNode& object, const std::string& path, const FieldInfo& field) {
  const std::size_t dot = path.find('.');
  const std::string key = path.substr(0, dot);
  ConfigNode* member = object.find(key);
  if (!member) {
    object.members.emplace_back(
        key, dot == std::string::npos ? default_value(field) : ConfigNode::make_object("default"));
    member = &object.members.back().second;
  }
  if (dot != std::string::npos && member->is_object()) put_default(*member, path.substr(dot + 1), field);
}

// Returns true for parameters whose default is a simple value. Defaults of lists and parts are not filled in.
bool has_plain_default(const FieldInfo& field) {
  return field.type == "integer" || field.type == "number" || field.type == "boolean" ||
         field.type == "string";
}

// Adds default parameters to a part, such as a scheduler. Leaves a part with an unknown name unchanged,
// because the code that builds the part reports the error.
void complete(ConfigNode& part, const Family& family) {
  if (part.is_string()) {
    ConfigNode object = ConfigNode::make_object(part.file);
    object.members.emplace_back("type", part);
    part = std::move(object);
  }
  const ConfigNode* type = part.is_object() ? part.find("type") : nullptr;
  if (!type) return;
  const std::string name = type->text;  // Copied, because adding a default may move the original in memory.
  for (const FieldInfo& field : family.parameters_of(name))
    if (has_plain_default(field)) put_default(part, field.path, field);
}

// Returns the technology file for each alias. Reads the aliases once, at the first name that is not a file.
const std::map<std::string, std::string>& aliases() {
  static const std::map<std::string, std::string> known = [] {
    std::map<std::string, std::string> files;
    for (const std::string& name : list_data(kTechnologies, ".json")) {
      const std::string file = find_data(fmt::format("{}/{}.json", kTechnologies, name));
      const ConfigNode tree = parse_config_file(file);
      const ConfigNode* const others = tree.find("aliases");
      if (!others) continue;
      for (const ConfigNode& alias : others->items)
        if (!files.emplace(alias.text, file).second)
          throw Error(alias.where(), fmt::format("\"{}\" is an alias of two technologies", alias.text),
                      "an alias of one");
    }
    return files;
  }();
  return known;
}

class Completer : public FieldVisitor {
 public:
  explicit Completer(ConfigNode& object) : object_(&object) {}

  void field(const char*, int&, IntRange, const char*) override {}
  void field(const char*, std::uint64_t&, IntRange, const char*) override {}
  void field(const char*, double&, RealRange, const char*) override {}
  void field(const char*, bool&, const char*) override {}
  void field(const char*, std::string&, const std::vector<std::string>&, const char*) override {}
  void field(const char*, std::vector<int>&, IntRange, const char*) override {}
  void field(const char*, std::vector<std::string>&, const char*) override {}
  void field(const char*, NumberByKind&, IntRange, const char*) override {}
  void choice(const char* name, ConfigNode&, const char* family, const char*) override {
    if (ConfigNode* part = object_->find(name)) complete_part(*part, family);
  }
  void choices(const char* name, std::vector<ConfigNode>&, const char* family, const char*) override {
    if (ConfigNode* parts = object_->find(name))
      for (ConfigNode& part : parts->items) complete_part(part, family);
  }

 protected:
  void nested(const char* name, const char*, const std::function<void(FieldVisitor&)>& visit) override {
    ConfigNode* outer = object_;
    object_ = outer->find(name);
    if (object_) visit(*this);
    object_ = outer;
  }

 private:
  static void complete_part(ConfigNode& part, const std::string& family) {
    if (const Family* known = Families::instance().named(family)) complete(part, *known);
    // A part such as "parallel" contains a list of other parts. Complete these, too.
    for (auto& [key, member] : part.members)
      if (member.is_array())
        for (ConfigNode& inner : member.items)
          if (inner.is_object() && inner.find("type")) complete_part(inner, family);
  }

  ConfigNode* object_;
};

// Adds to the configuration the number of sub-banks that the entry format has in a row: technologies divide
// the energy of a row by this number. Does nothing for an unknown format, because the code that builds the
// machine reports it.
void add_sub_banks(ConfigNode& tree, const ConfigNode& format) {
  const auto& formats = Registry<EntryFormat>::instance().entries();
  ConfigNode* const banks = tree.find("gpu")->find("sm")->find("register_file")->find("banks");
  if (!banks || !formats.contains(choice_name(format))) return;
  StatsRegistry none;
  EntryFormat::Context context{{}, StatsScope(none, "format")};
  const int count = Registry<EntryFormat>::instance().make(format, context)->sub_banks();
  banks->members.emplace_back("sub_banks", parse_config_text(std::to_string(count), "entry format"));
}

}  // namespace

std::string present_technology(const std::string& file) {
  const fs::path path = fs::path(file).lexically_normal();
  if (std::error_code ec; fs::exists(path, ec)) return file;
  if (!path.parent_path().generic_string().ends_with(kTechnologies)) return file;
  const auto alias = aliases().find(path.stem().string());
  return alias == aliases().end() ? file : alias->second;
}

std::string find_technology(const std::string& name, const std::string& where) {
  if (is_file_name(name)) return present_technology(name);
  if (find_data(fmt::format("{}/{}.json", kTechnologies, name)).empty())
    if (const auto alias = aliases().find(name); alias != aliases().end()) return alias->second;
  return find_named(kTechnologies, name, "technology", where);
}

std::vector<power::Technology> read_technologies(const RunParameters& parameters,
                                                 const TechnologyReader& read) {
  std::set<std::string> behind, seen;
  for (const std::string& name : parameters.power.stand_back)
    behind.insert(find_technology(name, "power.stand_back"));
  std::vector<power::Technology> technologies;
  for (const std::string& name : parameters.power.technologies) {
    const std::string file = find_technology(name, "power.technologies");
    if (!seen.insert(file).second) continue;
    technologies.push_back(read ? read(file) : power::read_technology(file, find_technology));
    technologies.back().stands_back = behind.contains(file);
  }
  power::choose_corners(technologies, parameters.power.corners, "power.corners");
  return technologies;
}

ConfigNode energy_configuration(const RunParameters& parameters) {
  ConfigNode tree = dump_scenario(parameters);
  RunParameters shape = parameters;
  Completer completer(tree);
  shape.fields(completer);
  add_sub_banks(tree, parameters.gpu.sm.register_file.banks.format);
  return tree;
}

std::unique_ptr<power::EnergyAccount> make_energy_account(std::vector<power::Technology> technologies,
                                                          const RunParameters& parameters,
                                                          const StatsRegistry& stats) {
  if (technologies.empty()) return nullptr;
  return std::make_unique<power::EnergyAccount>(std::move(technologies), energy_configuration(parameters),
                                                stats);
}

}  // namespace heddle::run
