#include "testbench/experiment/inherited_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "models/core/error.h"
#include "testbench/run/data_files.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;

const std::string* name_of(const ConfigNode& item) {
  for (const char* key : {"name", "id"})
    if (const ConfigNode* name = item.find(key); name && name->is_string()) return &name->text;
  return nullptr;
}

// Returns true for a list of objects if some objects have names and no two have the same name.
bool is_named_list(const ConfigNode& list) {
  if (!list.is_array()) return false;
  std::set<std::string_view> names;
  for (const ConfigNode& item : list.items) {
    if (!item.is_object()) return false;
    const std::string* name = name_of(item);
    if (name && !names.insert(*name).second) return false;
  }
  return !names.empty();
}

ConfigNode* find_item(ConfigNode& list, const std::string& wanted) {
  for (ConfigNode& item : list.items)
    if (const std::string* name = name_of(item); name && *name == wanted) return &item;
  return nullptr;
}

void merge_lists(ConfigNode& base, const ConfigNode& over) {
  for (const ConfigNode& item : over.items) {
    const std::string* name = name_of(item);
    if (ConfigNode* mine = name ? find_item(base, *name) : nullptr)
      merge_experiment(*mine, item);
    else
      base.items.push_back(item);
  }
}

void change_items(ConfigNode& base, const ConfigNode& changes) {
  for (const auto& [name, change] : changes.members) {
    ConfigNode* mine = find_item(base, name);
    if (!mine) {
      std::vector<std::string> known;
      for (const ConfigNode& item : base.items)
        if (const std::string* one = name_of(item)) known.push_back(*one);
      throw Error(change.where(), fmt::format("no item \"{}\" in the list that this file inherits", name),
                  fmt::format("{}", fmt::join(known, ", ")));
    }
    if (change.kind == ConfigNode::Kind::null)
      base.items.erase(base.items.begin() + (mine - base.items.data()));
    else
      merge_experiment(*mine, change);
  }
}

std::string file_of(const ConfigNode& like) {
  if (!like.is_string() || like.text.empty())
    throw Error(like.where(), "not an experiment", "the name of one in configs/experiments, or a file");
  if (!run::is_file_name(like.text))
    return run::find_named("configs/experiments", like.text, "experiment", like.where());
  const fs::path file(like.text);
  return (file.is_relative() ? (fs::path(like.file.text()).parent_path() / file).lexically_normal() : file)
      .string();
}

}  // namespace

void merge_experiment(ConfigNode& base, const ConfigNode& over) {
  if (is_named_list(base) && over.is_object()) return change_items(base, over);
  if (is_named_list(base) && is_named_list(over)) return merge_lists(base, over);
  // Two kinds of objects are replaced as a whole, not merged: {"value", "source"}, and the choice of an
  // exchangeable part (such as a scheduler) by its "type".
  const bool is_whole =
      over.find("value") || over.find("type") || (base.find("value") && base.members.size() == 2);
  if (!base.is_object() || !over.is_object() || is_whole) {
    base = over;
    return;
  }
  for (const auto& [key, member] : over.members) {
    if (ConfigNode* mine = base.find(key); !mine)
      base.members.emplace_back(key, member);
    else if (member.kind == ConfigNode::Kind::null)
      std::erase_if(base.members, [&name = key](const auto& one) { return one.first == name; });
    else
      merge_experiment(*mine, member);
  }
}

ConfigNode read_inherited_experiment(const std::string& path, std::vector<std::string>& files) {
  ConfigNode own = parse_config_file(path);
  files.push_back(fs::weakly_canonical(path).string());
  const ConfigNode* like = own.is_object() ? own.find("like") : nullptr;
  if (!like) return own;
  const std::string file = file_of(*like);
  std::error_code ec;
  const std::string whole = fs::weakly_canonical(file, ec).string();
  if (std::find(files.begin(), files.end(), whole) != files.end())
    throw Error(like->where(), "experiments are like each other in a circle");
  ConfigNode base = read_inherited_experiment(file, files);
  std::erase_if(own.members, [](const auto& member) { return member.first == "like"; });
  std::erase_if(base.members, [](const auto& member) {
    return member.first == "name" || member.first == "covers" || member.first == "elsewhere" ||
           member.first == "opening" || member.first == "decides";
  });
  merge_experiment(base, own);
  base.file = own.file;
  return base;
}

}  // namespace heddle::experiment
