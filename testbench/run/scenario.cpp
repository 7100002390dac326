#include "testbench/run/scenario.h"

#include <filesystem>

#include "models/core/error.h"
#include "testbench/run/data_files.h"

namespace heddle::run {
namespace {

// Short keys of a scenario and the parameters that they stand for.
constexpr std::pair<const char*, const char*> kShorthands[] = {
    {"scheduler", "gpu.sm.scheduler"},
    {"register_file_stages", "gpu.sm.register_file.stages"},
    {"passes", "compiler.passes"},
    {"registers", "compiler.max_registers"},
};

ConfigNode nested_in(const std::string& path, ConfigNode value) {
  const std::size_t dot = path.rfind('.');
  ConfigNode object = ConfigNode::make_object(value.file);
  object.line = value.line;
  object.path = value.path;
  const std::string key = dot == std::string::npos ? path : path.substr(dot + 1);
  object.members.emplace_back(key, std::move(value));
  return dot == std::string::npos ? object : nested_in(path.substr(0, dot), std::move(object));
}

ConfigNode take(ConfigNode& object, std::string_view key) {
  for (auto it = object.members.begin(); it != object.members.end(); ++it) {
    if (it->first != key) continue;
    ConfigNode value = std::move(it->second);
    object.members.erase(it);
    return value;
  }
  return {};
}

// A file that is named in a scenario, relative to it.
void put_beside(const std::string& scenario, std::string& file) {
  if (std::filesystem::path(file).is_relative())
    file = (std::filesystem::path(scenario).parent_path() / file).lexically_normal();
}

// Its file joins `read_from`.
ConfigNode read_preset(const ConfigNode& name, std::vector<std::string>& read_from) {
  if (!name.is_string()) throw Error(name.where(), "not the name of a GPU preset", "a name or a file");
  std::string file = find_preset(name.text, name.where());
  const bool beside_scenario =
      name.line > 0 && file == name.text && std::filesystem::path(file).is_relative();
  if (beside_scenario) file = (std::filesystem::path(name.file).parent_path() / file).string();
  ConfigNode preset = parse_config_file(file);
  read_from.push_back(file);
  if (!preset.is_object()) throw Error(file, "not a GPU preset", "an object");
  take(preset, "$schema");
  return preset;
}

// Replaces the value at a key path, whatever is there.
void put(ConfigNode& root, const std::string& path, const ConfigNode& value) {
  const std::size_t dot = path.find('.');
  const std::string key = path.substr(0, dot);
  ConfigNode* member = root.find(key);
  if (!member) {
    root.members.emplace_back(key, ConfigNode::make_object(value.file));
    member = &root.members.back().second;
  }
  if (dot == std::string::npos)
    *member = value;
  else
    put(*member, path.substr(dot + 1), value);
}

// The values alone, without the sources and assumptions beside them.
ConfigNode without_origins(const ConfigNode& node) {
  ConfigNode plain = node.unwrapped();
  for (auto& [key, member] : plain.members) member = without_origins(member);
  for (ConfigNode& item : plain.items) item = without_origins(item);
  return plain;
}

}  // namespace

RunParameters read_scenario_tree(const ConfigNode& tree, const ScenarioRequest& request) {
  if (!tree.is_object()) throw Error(tree.where(), "not a scenario", "an object");
  RunParameters parameters;
  ConfigNode all = dump_fields(parameters);
  if (!tree.file.empty()) parameters.read_from.push_back(tree.file);

  // 1. The preset: named alone, or beside what differs from it.
  ConfigNode scenario = tree;
  take(scenario, "$schema");
  ConfigNode gpu = take(scenario, "gpu");
  ConfigNode preset;
  if (gpu.is_object())
    preset = take(gpu, "preset");
  else if (gpu.kind != ConfigNode::Kind::null)
    preset = std::exchange(gpu, {});
  if (!request.gpu.empty()) preset = ConfigNode::make_string(request.gpu, "--gpu");
  ConfigNode& all_gpu = *all.find("gpu");
  if (preset.kind != ConfigNode::Kind::null) {
    all_gpu.find("name")->text = std::filesystem::path(preset.text).stem();
    merge_config(all_gpu, read_preset(preset, parameters.read_from));
  } else if (gpu.is_object()) {
    all_gpu.find("name")->text = "custom";
  }

  // 2. The scenario, its short keys after the long ones.
  if (gpu.kind != ConfigNode::Kind::null) merge_config(all_gpu, gpu);
  std::vector<std::pair<const char*, ConfigNode>> shorthands;
  for (const auto& [key, path] : kShorthands) {
    ConfigNode value = take(scenario, key);
    if (value.kind != ConfigNode::Kind::null) shorthands.emplace_back(path, std::move(value));
  }
  merge_config(all, scenario);
  for (auto& [path, value] : shorthands) merge_config(all, nested_in(path, std::move(value)));
  if (ConfigNode* launch = all.find("launch"); scenario.find("launch") && launch->is_string())
    put_beside(tree.file, launch->text);
  const ConfigNode* power = scenario.find("power");
  if (power && power->is_object() && power->find("technologies"))
    for (ConfigNode& technology : all.find("power")->find("technologies")->items)
      if (technology.is_string() && is_file_name(technology.text)) put_beside(tree.file, technology.text);

  // 3. Flags, then --set.
  if (!request.launch.empty()) *all.find("launch") = ConfigNode::make_string(request.launch, "--launch");
  for (const auto& [path, value] : request.flags) put(all, path, value);
  for (const std::string& assignment : request.sets) set_config(all, assignment);

  read_fields(all, parameters);
  return parameters;
}

RunParameters read_scenario(const ScenarioRequest& request) {
  return read_scenario_tree(
      request.scenario.empty() ? ConfigNode::make_object("") : parse_config_file(request.scenario), request);
}

ConfigNode dump_scenario(RunParameters parameters) { return without_origins(dump_fields(parameters)); }

}  // namespace heddle::run
