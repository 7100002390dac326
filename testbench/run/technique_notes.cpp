#include "testbench/run/technique_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/part_path.h"
#include "models/core/registry.h"
#include "testbench/run/tree_path.h"

namespace heddle::run {
namespace {

// Machine parameters that determine the sizes of a register-file stage.
struct Sizing {
  const char* machine;
  std::vector<std::string> paths;
  const char* sized;
  std::vector<std::string> parameters;
};

const std::vector<Sizing>& sizings() {
  static const std::vector<Sizing> all = {
      {"schedulers",
       {"gpu.sm.schedulers_per_partition", "gpu.sm.issue_width"},
       "ports",
       {"read_ports", "write_ports"}},
      {"active warps", {"gpu.sm.scheduler.active_warps"}, "entries", {"entries"}},
      {"the layout", {"gpu.sm.register_file.banks.layout"}, "rows", {"bank_full"}},
  };
  return all;
}

std::string text_at(const ConfigNode& configuration, const std::string& path) {
  const ConfigNode* node = find_path(configuration, path);
  return node ? one_line(*node) : "none";
}

// Returns sizes such as "read_ports 6, write_ports 2"; empty if the stage has none.
std::string sizes_of(const std::string& type, const Sizing& sizing, const std::string& list,
                     const ConfigNode& after) {
  std::string text;
  for (const PartInfo& part : Families::instance().by_place().at(list)->parts()) {
    if (part.name != type) continue;
    for (const FieldInfo& field : part.parameters) {
      if (std::find(sizing.parameters.begin(), sizing.parameters.end(), field.path) ==
          sizing.parameters.end())
        continue;
      const ConfigNode* now = find_path(after, fmt::format("{}[{}].{}", list, type, field.path));
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field.path,
                          now ? one_line(*now) : field.default_value);
    }
  }
  return text;
}

// Returns a change such as "gpu.sm.issue_width 1 -> 2".
std::string changes(const TechniqueSetting& setting, const Sizing& sizing, const ConfigNode& before,
                    const ConfigNode& after) {
  std::string text;
  for (const std::string& path : sizing.paths) {
    if (path != setting.path && !path.starts_with(setting.path + ".")) continue;
    const std::string was = text_at(before, path), is = text_at(after, path);
    if (was != is) text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", path, was, is);
  }
  return text;
}

}  // namespace

std::vector<std::string> notes_where_they_meet(const std::vector<TechniqueSetting>& settings,
                                               const TechniqueParts& stages, const ConfigNode& before,
                                               const ConfigNode& after) {
  std::vector<std::string> notes;
  for (const Sizing& sizing : sizings()) {
    const Technique* changer = nullptr;
    std::string changed;
    for (const TechniqueSetting& setting : settings)
      if (const std::string text = changes(setting, sizing, before, after); !text.empty()) {
        changer = setting.technique;
        changed += (changed.empty() ? "" : ", ") + text;
      }
    if (!changer) continue;
    for (const auto& [part, owner] : stages.parts) {
      const std::string type(type_of_part(part));
      const std::string sizes = owner == changer ? "" : sizes_of(type, sizing, stages.path, after);
      if (!sizes.empty())
        notes.push_back(fmt::format("{} changes {} ({}), which determines the {} of {}'s {} ({})",
                                    changer->name, sizing.machine, changed, sizing.sized, owner->name, type,
                                    sizes));
    }
  }
  return notes;
}

std::vector<std::string> notes_of_prices(const std::vector<Technique>& techniques) {
  std::vector<std::string> without;
  for (const Technique& technique : techniques)
    if (technique.technologies.empty()) without.push_back(technique.name);
  if (without.empty()) return {};
  return {fmt::format("no prices of {} own: {}", without.size() == 1 ? "its" : "their",
                      fmt::join(without, ", "))};
}

}  // namespace heddle::run
