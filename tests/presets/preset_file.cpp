#include "tests/presets/preset_file.h"

#include <algorithm>

#include "models/core/part_path.h"
#include "models/memory/i_memory_model.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "testbench/run/gpu_preset.h"

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

// Returns true if a preset may omit the parameter. Issue constraints, register stages and the bank arbiter
// have common defaults. The depth of the banks has two parameters, for even and for uneven banks; a preset
// needs only one of them. A preset without an L1 needs no sizes of an L1.
bool may_be_absent(const ConfigNode& preset, const FieldInfo& row) {
  if (row.type.starts_with("list of") || row.path == "sm.register_file.banks.arbiter") return true;
  if (row.path == "sm.register_file.banks.entries")
    return at(preset, "sm.register_file.banks.uneven_entries") != nullptr;
  if (row.path == "sm.register_file.banks.uneven_entries")
    return at(preset, "sm.register_file.banks.entries") != nullptr;
  if (row.path.starts_with("sm.dependences."))
    return at(preset, "sm.register_file.operands") == nullptr;  // then the compiler sets no control bits
  const ConfigNode* l1 = at(preset, "sm.load_store.l1.enabled");
  return row.path.starts_with("sm.load_store.l1.") && l1 && !l1->unwrapped().boolean;
}

// Returns true if the preset gives the parameter `path` the value that switches hardware off
// (FieldInfo::off).
bool is_off(const ConfigNode& preset, const std::string& path, const std::vector<FieldInfo>& rows) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const FieldInfo& one) { return one.path == path; });
  if (row == rows.end() || row->off.empty()) return false;
  const ConfigNode* value = at(preset, path);
  if (!value) return row->default_value == row->off;
  const ConfigNode& plain = value->unwrapped();
  if (plain.kind == ConfigNode::Kind::boolean) return row->off == (plain.boolean ? "true" : "false");
  return (plain.is_number() ? std::to_string(plain.integer) : std::string(type_of_part(plain))) == row->off;
}

void collect_absent(const ConfigNode& preset, const std::string& prefix, const std::vector<FieldInfo>& rows,
                    std::vector<std::string>& found) {
  for (const FieldInfo& row : rows) {
    if (is_off(preset, row.path, rows)) continue;
    const bool nothing = !row.switches.empty() &&
                         std::all_of(row.switches.begin(), row.switches.end(),
                                     [&](const std::string& other) { return is_off(preset, other, rows); });
    FieldInfo whole = row;
    whole.path = prefix + row.path;
    if (!nothing && !at(preset, whole.path) && !may_be_absent(preset, whole)) found.push_back(whole.path);
  }
}

}  // namespace

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = {"fermi-gebhart",        "fermi-gtx480",   "fermi-cmrc",
                                               "fermi-virtualization", "fermi-gpgpusim", "kepler-gtx780",
                                               "maxwell-gtx980",       "ampere-a6000",   "turing-rtx2080ti"};
  return all;
}

ConfigNode tree_of(const std::string& preset) {
  std::vector<std::string> files;
  return run::read_gpu_preset(ConfigNode::make_string(preset), files);
}

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
