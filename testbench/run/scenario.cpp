#include "testbench/run/scenario.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "models/sm/machine_latencies.h"
#include "testbench/run/account_tables.h"
#include "testbench/run/data_files.h"
#include "testbench/run/gpu_preset.h"
#include "testbench/run/origins.h"
#include "testbench/run/part_places.h"
#include "testbench/run/techniques.h"

namespace heddle::run {
namespace {

constexpr const char* kTables = "power.technologies";
constexpr const char* kAccount = "power.account";

// Short keys of a scenario ("scheduler"), and their parameters.
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

void take_format(ConfigNode& object, const std::string& what) {
  constexpr int kFormat = 1;
  format_of(object, what, kFormat, kFormat, false);
  take(object, "format");
  take(object, "$schema");
}

void place_next_to(const std::string& scenario, std::string& file) {
  if (std::filesystem::path(file).is_relative())
    file = (std::filesystem::path(scenario).parent_path() / file).lexically_normal();
}

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

// Makes relative paths in a scenario relative to the folder of this scenario, because a scenario in another
// folder may extend this scenario.
void put_files_beside(ConfigNode& scenario) {
  if (ConfigNode* launch = scenario.find("launch"); launch && launch->is_string())
    place_next_to(launch->file, launch->text);
  ConfigNode* power = scenario.find("power");
  for (const char* key : {"technologies", "stand_back"})
    if (ConfigNode* technologies = power ? power->find(key) : nullptr)
      for (ConfigNode& technology : technologies->items)
        if (technology.is_string() && is_file_name(technology.text))
          place_next_to(technology.file, technology.text);
}

// Replaces short keys by the full parameter paths, and the name of a preset by an object `gpu`.
ConfigNode in_long_keys(ConfigNode scenario) {
  take_format(scenario, "a scenario");
  if (ConfigNode* gpu = scenario.find("gpu"); gpu && !gpu->is_object()) {
    if (gpu->kind == ConfigNode::Kind::null)
      take(scenario, "gpu");
    else
      *gpu = nested_in("preset", *gpu);
  }
  for (const auto& [key, path] : kShorthands) {
    ConfigNode value = take(scenario, key);
    if (value.kind != ConfigNode::Kind::null) merge_config(scenario, nested_in(path, std::move(value)));
  }
  put_files_beside(scenario);
  return scenario;
}

// Merges a scenario over the scenario that its key `like` names. The techniques of both scenarios apply.
ConfigNode inherited(const ConfigNode& tree, std::vector<std::string>& read_from) {
  ConfigNode own = in_long_keys(tree);
  if (!tree.file.empty()) read_from.push_back(tree.file);
  const ConfigNode like = take(own, "like");
  if (like.kind == ConfigNode::Kind::null) return own;
  if (!like.is_string()) throw Error(like.where(), "not a scenario file", "the path of one");
  std::string file = like.text;
  place_next_to(like.file, file);
  if (std::find(read_from.begin(), read_from.end(), file) != read_from.end())
    throw Error(like.where(), "scenarios are like each other in a circle");
  ConfigNode base = inherited(parse_config_file(file), read_from);
  ConfigNode with = take(own, "with");
  if (ConfigNode* earlier = base.find("with"))
    earlier->items.insert(earlier->items.end(), with.items.begin(), with.items.end());
  else if (with.kind != ConfigNode::Kind::null)
    base.members.emplace_back("with", std::move(with));
  merge_config(base, own);
  return base;
}

std::vector<ConfigNode> techniques_of(ConfigNode& scenario, const ScenarioRequest& request) {
  const ConfigNode with = take(scenario, "with");
  if (with.kind != ConfigNode::Kind::null && !with.is_array())
    throw Error(with.where(), "not a list of techniques", "[\"name\", ...]");
  std::vector<ConfigNode> names;
  if (!request.with_alone) names = with.items;
  for (const std::string& name : request.with) names.push_back(ConfigNode::make_string(name, "--with"));
  return names;
}

void collect_paths(const ConfigNode& node, const std::string& path, std::vector<std::string>& paths) {
  if (!node.is_object() || node.find("value") || node.find("type")) {
    paths.push_back(path);
    return;
  }
  for (const auto& [key, member] : node.members)
    collect_paths(member, path.empty() ? key : path + "." + key, paths);
}

const ConfigNode* part_at(const ConfigNode& root, std::string_view path) {
  const std::size_t dot = path.find('.');
  const ConfigNode* member = root.find(path.substr(0, dot));
  return !member || dot == std::string_view::npos ? member : part_at(*member, path.substr(dot + 1));
}

// Returns the part that an option names ("--scheduler gates"). Parameters of this part that the replaced part
// also has keep their values.
ConfigNode with_kept_parameters(const ConfigNode& all, const std::string& path, const ConfigNode& value) {
  const auto has_place = [&path](const auto& entry) { return entry.first == path; };
  const auto& families = Families::instance().by_place();
  const auto family = std::find_if(families.begin(), families.end(), has_place);
  const ConfigNode* present = part_at(all, path);
  if (family == families.end() || !value.is_string() || !present) return value;
  ConfigNode part = ConfigNode::make_object(value.file);
  part.members.emplace_back("type", value);
  for (const PartInfo& info : family->second->parts()) {
    if (info.name != value.text) continue;
    for (const auto& [key, member] : present->unwrapped().members)
      if (std::any_of(info.parameters.begin(), info.parameters.end(), [&key = key](const FieldInfo& field) {
            return field.path == key || field.path.starts_with(key + ".");
          }))
        part.members.emplace_back(key, member);
  }
  return part.members.size() > 1 ? part : value;
}

// Returns the parameters that techniques must not change, because the user sets them: by options, by --set,
// or by keys next to "with" in the same scenario.
std::vector<std::string> decided_paths(const ConfigNode& tree, const ScenarioRequest& request) {
  std::vector<std::string> paths;
  if (tree.find("with")) collect_paths(in_long_keys(tree), "", paths);
  for (const auto& [path, value] : request.flags) paths.push_back(path);
  for (const std::string& set : request.sets) paths.push_back(set.substr(0, set.find('=')));
  return paths;
}

bool is_of_tables(const std::string& path) {
  return path == kTables || path.starts_with(std::string(kTables) + "[") || path == "power";
}

bool names_tables(const ConfigNode& scenario) {
  const ConfigNode* power = scenario.find("power");
  return power && power->find("technologies");
}

void put_account(ConfigNode& all, const Techniques& techniques) {
  ConfigNode& power = *all.find("power");
  const ConfigNode& account = power.find("account")->unwrapped();
  if (!account.is_string()) return;  // read_fields() reports an error in power.account.
  const auto& known = account_names();
  if (std::find(known.begin(), known.end(), account.text) == known.end())
    return;  // read_fields() reports an error in power.account.
  *power.find("technologies") =
      ConfigNode::make_texts(account_tables(account.text, techniques), "power.account");
}

void add_tables(ConfigNode& all, const Techniques& techniques) {
  ConfigNode& tables = *all.find("power")->find("technologies");
  for (const ConfigNode& table : techniques.technologies())
    if (std::none_of(tables.items.begin(), tables.items.end(),
                     [&](const ConfigNode& other) { return other.text == table.text; }))
      tables.items.push_back(table);
}

}  // namespace

ScenarioBeforeSets read_before_sets(const ConfigNode& tree, const ScenarioRequest& request) {
  RunParameters parameters;
  ConfigNode all = dump_fields(parameters);

  // Step 1: take the scenario, merged over the scenarios that it extends.
  ConfigNode scenario = inherited(tree, parameters.read_from);
  const std::vector<ConfigNode> names = techniques_of(scenario, request);

  // Step 2: take the GPU preset that --gpu or the scenario names, and apply the scenario's changes to it.
  ConfigNode* gpu = scenario.find("gpu");
  ConfigNode preset = gpu ? take(*gpu, "preset") : ConfigNode{};
  if (!request.gpu.empty()) preset = ConfigNode::make_string(request.gpu, "--gpu");
  ConfigNode& all_gpu = *all.find("gpu");
  if (preset.kind != ConfigNode::Kind::null) {
    all_gpu.find("name")->text = std::filesystem::path(preset.text).stem();
    std::vector<ConfigNode> passes;
    merge_config(all_gpu, read_gpu_preset(preset, parameters.read_from, &passes));
    add_missing_passes(all, passes);
  } else if (gpu) {
    all_gpu.find("name")->text = "custom";
  }
  parameters.preset_alone = std::make_shared<const ConfigNode>(without_origins(all));
  merge_config(all, scenario);

  // Step 3: apply the techniques. Techniques do not change parameters that the user sets.
  Techniques techniques(names, decided_paths(tree, request));
  techniques.lay_on(all);
  const bool names_in_scenario = names_tables(scenario);
  if (names_in_scenario) add_tables(all, techniques);
  parameters.techniques = techniques.names();
  for (const std::string& file : techniques.files()) parameters.read_from.push_back(file);

  // Step 4: apply the options of the command line.
  if (!request.launch.empty()) *all.find("launch") = ConfigNode::make_string(request.launch, "--launch");
  for (const auto& [path, value] : request.flags) put(all, path, with_kept_parameters(all, path, value));

  // Step 5: if neither scenario nor options name technologies, use those of the account `power.account`.
  const bool named =
      names_in_scenario || std::any_of(request.flags.begin(), request.flags.end(),
                                       [](const auto& flag) { return is_of_tables(flag.first); });
  if (!named) put_account(all, techniques);
  return {std::move(parameters), std::move(all), std::move(techniques), named};
}

RunParameters read_scenario_tree(const ConfigNode& tree, const ScenarioRequest& request) {
  ScenarioBeforeSets before = read_before_sets(tree, request);
  // Step 6: apply --set, which may change the account or the technologies.
  bool named = before.names_tables;
  for (const std::string& assignment : request.sets) {
    set_config(before.tree, assignment);
    const std::string path = assignment.substr(0, assignment.find('='));
    named = named || is_of_tables(path);
    if (path == kAccount && !named) put_account(before.tree, before.techniques);
  }
  add_control_bits(before.tree);
  before.techniques.finish(before.tree);
  before.parameters.technique_notes = before.techniques.notes();
  RunParameters& made = before.parameters;
  read_fields(before.tree, made);
  made.compiler.latencies =
      std::make_shared<const isa::LatencyTable>(latencies_of(made.gpu.sm, made.gpu.name));
  return std::move(made);
}

RunParameters read_scenario(const ScenarioRequest& request) {
  return read_scenario_tree(
      request.scenario.empty() ? ConfigNode::make_object("") : parse_config_file(request.scenario), request);
}

ConfigNode dump_scenario(RunParameters parameters) {
  parameters.watch.quantum = WatchParameters{}.quantum;
  parameters.watch.threads = WatchParameters{}.threads;
  parameters.watch.untimed_store.clear();
  return without_origins(dump_fields(parameters));
}

}  // namespace heddle::run
