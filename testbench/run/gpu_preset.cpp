#include "testbench/run/gpu_preset.h"

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"
#include "testbench/run/data_files.h"

namespace heddle::run {
namespace {

ConfigNode read(const ConfigNode& name, std::vector<std::string>& chain) {
  if (!name.is_string()) throw Error(name.where(), "not the name of a GPU preset", "a name or a file");
  std::string file = find_named("configs/gpu", name.text, "GPU preset", name.where());
  const bool is_next_to_file =
      name.line > 0 && file == name.text && std::filesystem::path(file).is_relative();
  if (is_next_to_file)
    file = (std::filesystem::path(name.file.text()).parent_path() / file).lexically_normal().string();
  if (std::find(chain.begin(), chain.end(), file) != chain.end())
    throw Error(name.where(), "presets are like each other in a circle");
  ConfigNode preset = parse_config_file(file);
  chain.push_back(file);
  constexpr int kFormat = 1;
  format_of(preset, "a GPU preset", kFormat, kFormat, false);
  const ConfigNode* like = preset.find("like");
  ConfigNode base = like ? read(*like, chain) : ConfigNode::make_object(file);
  std::erase_if(preset.members, [](const auto& member) {
    return member.first == "$schema" || member.first == "format" || member.first == "like";
  });
  if (!like) return preset;
  merge_config(base, preset);
  return base;
}

}  // namespace

ConfigNode read_gpu_preset(const ConfigNode& name, std::vector<std::string>& read_from,
                           std::vector<ConfigNode>* passes) {
  std::vector<std::string> chain;
  ConfigNode preset = read(name, chain);
  read_from.insert(read_from.end(), chain.begin(), chain.end());
  const auto own = std::find_if(preset.members.begin(), preset.members.end(),
                                [](const auto& m) { return m.first == "passes"; });
  if (own == preset.members.end()) return preset;
  const ConfigNode& list = own->second.unwrapped();
  if (!list.is_array()) throw Error(own->second.where(), "not a list of compiler passes", "[\"name\", ...]");
  if (passes) *passes = list.items;
  preset.members.erase(own);
  return preset;
}

}  // namespace heddle::run
