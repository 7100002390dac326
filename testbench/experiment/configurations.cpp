#include "testbench/experiment/configurations.h"

#include <optional>
#include <string_view>
#include <utility>

#include "models/core/error.h"
#include "testbench/experiment/field_hashes.h"
#include "testbench/run/relative_sizes.h"

namespace heddle::experiment {
namespace {

std::string path_of(const std::string& assignment) { return assignment.substr(0, assignment.find('=')); }

ConfigNode* node_at(ConfigNode& root, std::string_view path) {
  ConfigNode* node = &root;
  while (node && !path.empty()) {
    const std::size_t end = path.find('.');
    node = node->find(path.substr(0, end));
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
  }
  return node;
}

void put_field(ConfigNode& root, std::string_view path, ConfigNode value) {
  const std::size_t end = path.find('.');
  const std::string key(path.substr(0, end));
  if (end == std::string_view::npos) {
    root.members.emplace_back(key, std::move(value));
    return;
  }
  ConfigNode* group = root.find(key);
  if (!group) {
    root.members.emplace_back(key, ConfigNode::make_object(value.file));
    group = &root.members.back().second;
  }
  put_field(*group, path.substr(end + 1), std::move(value));
}

Configured facts_of(const run::RunParameters& parameters, std::uint64_t hash) {
  return {hash, parameters.address_size, parameters.power, {}};
}

}  // namespace

// The part of the configuration that is the same for all variants with the same list of techniques.
class Configurations::Common {
 public:
  std::string refusal;

  // If the shared part is not a valid configuration without the settings of a variant, the constructor leaves
  // hashes_ empty. look_at() then returns nothing, so the whole configuration of each variant is read.
  explicit Common(run::ScenarioBeforeSets before)
      : before_(std::move(before)), parameters_(before_.parameters) {
    try {
      before_.techniques.finish(before_.tree);
      read_fields(before_.tree, parameters_);
      hashes_.emplace(parameters_);
    } catch (const Error&) {
      hashes_.reset();
    }
  }
  explicit Common(std::string why) : refusal(std::move(why)) {}

  // Applies the settings `sets` ("path=value") to the shared configuration. Returns its hash and energy
  // prices. Returns nothing if a setting has an error, or if the path of a setting names a group of
  // parameters; the caller must then read the whole configuration. Throws Refusal if the techniques cannot be
  // combined.
  std::optional<Configured> look_at(const std::vector<std::string>& sets) {
    std::set<std::string> paths;
    for (const std::string& set : sets) {
      if (before_.techniques.has_sizes() && run::sizes_depend_on(path_of(set))) return std::nullopt;
      // power.account (machine or papers) determines power.technologies, so the whole configuration must be
      // read.
      if (path_of(set) == "power.account") return std::nullopt;
      if (set.find("\"times\"") != std::string::npos)
        return std::nullopt;  // "times" marks a size relative to another parameter, which a --set may change.
      const std::string field = field_at(path_of(set));
      if (field.empty()) return std::nullopt;
      paths.insert(field);
    }
    if (!hashes_ || !keep(paths)) return std::nullopt;
    std::optional<Configured> found;
    try {
      for (const std::string& set : sets) set_config(before_.tree, set);
      before_.techniques.check(before_.tree);
      read(paths);
      found = facts_of(parameters_, hashes_->hash_with(parameters_, paths));
    } catch (const run::Refusal&) {
      restore();
      throw;
    } catch (const Error&) {
      found.reset();
    }
    restore();
    return found;
  }

 private:
  bool keep(const std::set<std::string>& paths) {
    kept_.clear();
    for (const std::string& path : paths) {
      const ConfigNode* node = node_at(before_.tree, path);
      if (!node) return false;
      kept_.emplace(path, *node);
    }
    return true;
  }
  // Moves the values at `paths` out of the configuration tree, and reads them.
  void read(const std::set<std::string>& paths) {
    ConfigNode some = ConfigNode::make_object(before_.tree.file);
    for (const std::string& path : paths) put_field(some, path, std::move(*node_at(before_.tree, path)));
    read_fields(some, parameters_);
  }
  void restore() {
    ConfigNode some = ConfigNode::make_object(before_.tree.file);
    for (auto& [path, node] : kept_) put_field(some, path, std::move(node));
    read_fields(some, parameters_);
    for (auto& [path, node] : kept_) *node_at(before_.tree, path) = std::move(*node_at(some, path));
  }

  run::ScenarioBeforeSets before_{{}, {}, run::Techniques({}, {})};
  run::RunParameters parameters_;
  std::optional<FieldHashes> hashes_;
  std::map<std::string, ConfigNode> kept_;
};

Configurations::Configurations(const ConfigNode& base, run::Flags flags)
    : base_(base), flags_(std::move(flags)) {
  try {
    base_has_techniques_ = !run::read_before_sets(base, request_of({}, {})).parameters.techniques.empty();
  } catch (const Error&) {
    base_has_techniques_ = true;
  }
}

Configurations::~Configurations() = default;

run::ScenarioRequest Configurations::request_of(const std::vector<ConfigNode>& with,
                                                const std::vector<std::string>& sets) const {
  for (const std::string& set : sets)
    if (set.starts_with("output.") && !set.starts_with("output.analyses"))
      throw Error(set, "the runs of an experiment write no files of their own", "output.analyses");
  run::ScenarioRequest request;
  for (const ConfigNode& name : with) request.with.push_back(name.text);
  request.sets = sets;
  request.flags = flags_;
  return request;
}

Configurations::Common& Configurations::common_of(const std::vector<ConfigNode>& with,
                                                  const std::vector<std::string>& sets) {
  std::vector<std::string> key;
  for (const ConfigNode& name : with) key.push_back(name.text);
  if (base_has_techniques_ || !with.empty()) {
    key.emplace_back();
    for (const std::string& set : sets) key.push_back(path_of(set));
  }
  std::unique_ptr<Common>& common = commons_[key];
  if (common) return *common;
  try {
    run::ScenarioBeforeSets before = run::read_before_sets(base_, request_of(with, sets));
    files_.insert(before.parameters.read_from.begin(), before.parameters.read_from.end());
    common = std::make_unique<Common>(std::move(before));
  } catch (const run::Refusal& refusal) {
    common = std::make_unique<Common>(refusal.what());
  }
  return *common;
}

Configured Configurations::look_at(const std::vector<ConfigNode>& with,
                                   const std::vector<std::string>& sets) {
  Common& common = common_of(with, sets);
  Configured refused;
  refused.refusal = common.refusal;
  if (!refused.refusal.empty()) return refused;
  try {
    if (std::optional<Configured> found = common.look_at(sets)) return *found;
    const run::RunParameters whole = read(with, sets);
    return facts_of(whole, hash_of(whole));
  } catch (const run::Refusal& refusal) {
    refused.refusal = refusal.what();
    return refused;
  }
}

run::RunParameters Configurations::read(const std::vector<ConfigNode>& with,
                                        const std::vector<std::string>& sets) const {
  run::RunParameters parameters = run::read_scenario_tree(base_, request_of(with, sets));
  parameters.description.clear();
  parameters.launch.clear();
  std::vector<ConfigNode> analyses = std::move(parameters.output.analyses);
  parameters.output = {};
  parameters.output.analyses = std::move(analyses);
  return parameters;
}

std::uint64_t Configurations::hash_of(run::RunParameters parameters) {
  return FieldHashes(parameters).hash();
}

}  // namespace heddle::experiment
