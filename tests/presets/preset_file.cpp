#include "tests/presets/preset_file.h"

#include <algorithm>

#include "models/memory/i_memory_model.h"
#include "models/scheduler/i_scheduler_policy.h"

namespace heddle::presets {
namespace {

void collect_without_origin(const ConfigNode& node, const std::string& path,
                            std::vector<std::string>& found) {
  if (node.is_object()) {
    if (node.find("value")) {
      const ConfigNode* origin = node.find("source") ? node.find("source") : node.find("assumed");
      if (!origin || !origin->is_string() || origin->text.empty()) found.push_back(path);
      return;
    }
    for (const auto& [key, member] : node.members)
      collect_without_origin(member, path.empty() ? key : path + "." + key, found);
    return;
  }
  if (node.is_array() && !node.items.empty()) {
    for (std::size_t i = 0; i < node.items.size(); ++i)
      collect_without_origin(node.items[i], path + "[" + std::to_string(i) + "]", found);
    return;
  }
  if (path != "name" && path != "description") found.push_back(path);
}

const ConfigNode* at(const ConfigNode& root, std::string_view path) {
  const ConfigNode* node = &root;
  while (node && !path.empty()) {
    const std::size_t dot = path.find('.');
    node = node->find(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  }
  return node;
}

// What is composed into the machine (constraints, stages, the arbiter) is the same for every plain preset and
// belongs to the defaults; a bank's depth is given once, even or uneven; an absent L1 has no sizes.
bool may_be_absent(const ConfigNode& preset, const FieldInfo& row) {
  if (row.type.starts_with("list of") || row.path == "sm.register_file.banks.arbiter") return true;
  if (row.path == "sm.register_file.banks.entries")
    return at(preset, "sm.register_file.banks.uneven_entries") != nullptr;
  if (row.path == "sm.register_file.banks.uneven_entries")
    return at(preset, "sm.register_file.banks.entries") != nullptr;
  const ConfigNode* l1 = at(preset, "sm.load_store.l1.enabled");
  return row.path.starts_with("sm.load_store.l1.") && l1 && !l1->unwrapped().boolean;
}

void collect_absent(const ConfigNode& preset, const std::string& prefix, const std::vector<FieldInfo>& rows,
                    std::vector<std::string>& found) {
  for (FieldInfo row : rows) {
    row.path = prefix + row.path;
    if (!at(preset, row.path) && !may_be_absent(preset, row)) found.push_back(row.path);
  }
}

}  // namespace

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = {"fermi-gebhart",        "fermi-gtx480",  "fermi-cmrc",
                                               "fermi-virtualization", "kepler-gtx780", "maxwell-gtx980"};
  return all;
}

ConfigNode tree_of(const std::string& preset) { return parse_config_file("configs/gpu/" + preset + ".json"); }

GpuParameters parameters_of(const std::string& preset) {
  GpuParameters parameters;
  read_fields(tree_of(preset), parameters);
  return parameters;
}

std::vector<std::string> without_origin(const ConfigNode& preset) {
  std::vector<std::string> found;
  collect_without_origin(preset, "", found);
  return found;
}

std::vector<std::string> left_to_defaults(const ConfigNode& preset) {
  std::vector<std::string> found;
  collect_absent(preset, "", describe_fields<GpuParameters>(), found);
  if (const ConfigNode* scheduler = at(preset, "sm.scheduler"))
    collect_absent(preset, "sm.scheduler.", Registry<SchedulerPolicy>::instance().find(*scheduler).describe(),
                   found);
  if (const ConfigNode* memory = at(preset, "memory"))
    collect_absent(preset, "memory.", Registry<IMemoryModel>::instance().find(*memory).describe(), found);
  return found;
}

}  // namespace heddle::presets
