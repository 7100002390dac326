#include "testbench/run/techniques.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"
#include "models/core/part_path.h"
#include "testbench/launch/object_reader.h"
#include "testbench/run/data_files.h"
#include "testbench/run/origins.h"

namespace heddle::run {
namespace {

using launch::ObjectReader;

// Lists that fragments add to: the key of a fragment and of configs/order.json, and the parameter.
constexpr std::pair<const char*, const char*> kLists[] = {
    {"stages", "gpu.sm.register_file.stages"},
    {"front_end_stages", "gpu.sm.front_end.stages"},
    {"constraints", "gpu.sm.constraints"},
    {"admission", "gpu.admission"},
    {"passes", "compiler.passes"},
};
constexpr const char* kOrderFile = "configs/order.json";

// A value without where it comes from, on one line.
std::string one_line(const ConfigNode& node) {
  const ConfigNode plain = without_origins(node);
  if (plain.is_string()) return plain.text;
  std::string text;
  for (const char c : to_json(plain))
    if (c != '\n' && !(c == ' ' && (text.ends_with(' ') || text.ends_with('{') || text.ends_with('['))))
      text += c;
  return text;
}

// A node by its keys; a wrapped value stands for itself.
ConfigNode* find_path(ConfigNode& root, const std::string& path) {
  ConfigNode* node = &root;
  for (std::size_t begin = 0; node && begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    node = node->find(std::string_view(path).substr(begin, end - begin));
    begin = end + 1;
  }
  return node;
}

const ConfigNode* find_path(const ConfigNode& root, const std::string& path) {
  return find_path(const_cast<ConfigNode&>(root), path);
}

void set_path(ConfigNode& root, const std::string& path, const ConfigNode& value) {
  const std::size_t dot = path.rfind('.');
  ConfigNode* parent = dot == std::string::npos ? &root : find_path(root, path.substr(0, dot));
  if (!parent || !parent->is_object())
    throw Error(value.where(), fmt::format("there is no parameter {}", path));
  const std::string key = path.substr(dot == std::string::npos ? 0 : dot + 1);
  if (ConfigNode* member = parent->find(key))
    *member = value;
  else
    parent->members.emplace_back(key, value);
}

ConfigNode as_object(const ConfigNode& part) {
  if (!part.is_string()) return part;
  ConfigNode object = ConfigNode::make_object(part.file);
  object.line = part.line;
  object.path = part.path;
  object.members.emplace_back("type", part);
  return object;
}

// What a requirement compares: the type of a part, or the value.
std::string value_text(const ConfigNode& node) {
  const std::string_view type = type_of_part(node);
  return type.empty() ? one_line(node) : std::string(type);
}

std::size_t rank(const std::vector<std::string>& order, const ConfigNode& part, const std::string& path) {
  const std::string type(type_of_part(part));
  const auto at = std::find(order.begin(), order.end(), type);
  if (at == order.end())
    throw Error(part.where(), fmt::format("\"{}\" has no place in {}", type, kOrderFile),
                fmt::format("a line with its name in the list of {}", path));
  return static_cast<std::size_t>(at - order.begin());
}

}  // namespace

Techniques::Techniques(const std::vector<ConfigNode>& names, std::vector<std::string> decided)
    : decided_(std::move(decided)) {
  if (names.empty()) return;
  const std::string order_file = find_data(kOrderFile);
  if (order_file.empty()) throw Error(kOrderFile, "this file of Heddle is missing");
  const ConfigNode order = parse_config_file(order_file);
  files_.push_back(order_file);
  for (const auto& [key, path] : kLists) {
    Parts list{path, {}, {}};
    if (const ConfigNode* types = order.find(key))
      for (const ConfigNode& type : types->items) list.order.push_back(type.text);
    lists_.push_back(std::move(list));
  }
  for (const ConfigNode& name : names) {
    if (!name.is_string()) throw Error(name.where(), "not the name of a technique", "a name or a file");
    std::string file = find_named("configs/techniques", name.text, "technique", name.where());
    if (name.line > 0 && file == name.text && std::filesystem::path(file).is_relative())
      file = (std::filesystem::path(name.file).parent_path() / file).lexically_normal().string();
    const std::string plain = std::filesystem::path(file).stem().string();
    if (std::find(files_.begin(), files_.end(), file) != files_.end()) continue;
    files_.push_back(file);
    names_.push_back(plain);
    read(parse_config_file(file), plain);
  }
}

std::vector<std::string> Techniques::files() const { return files_; }

void Techniques::read(const ConfigNode& fragment, const std::string& name) {
  const ObjectReader in(fragment, "a technique",
                        {"$schema", "description", "paper", "requires", "stages", "front_end_stages",
                         "constraints", "admission", "passes", "technologies", "set"});
  in.text("description");
  for (std::size_t i = 0; i < lists_.size(); ++i)
    if (const ConfigNode* parts = in.find(kLists[i].first))
      for (const ConfigNode& part : ObjectReader::array(*parts).items) {
        rank(lists_[i].order, part, lists_[i].path);
        add_part(lists_[i], as_object(part), name);
      }
  if (const ConfigNode* sets = in.find("set")) {
    if (!sets->is_object())
      throw Error(sets->where(), "not a set of parameters", R"({"path.key": value, ...})");
    for (const auto& [path, value] : sets->members) add_setting({path, value, name}, settings_);
  }
  if (const ConfigNode* technologies = in.find("technologies"))
    for (const ConfigNode& technology : ObjectReader::array(*technologies).items) {
      ConfigNode one = technology;
      one.text = ObjectReader::text_of(technology);
      if (is_file_name(one.text) && std::filesystem::path(one.text).is_relative())
        one.text = (std::filesystem::path(one.file).parent_path() / one.text).lexically_normal().string();
      technologies_.push_back(std::move(one));
    }
  const ConfigNode* requirements = in.find("requires");
  if (!requirements) return;
  for (const ConfigNode& item : ObjectReader::array(*requirements).items) {
    const ObjectReader one(item, "a requirement", {"parameter", "one_of", "otherwise", "why"});
    Requirement requirement{one.text("parameter"), one.text("why"), name, {}, {}, item.where()};
    for (const ConfigNode& value : ObjectReader::array(one.get("one_of")).items)
      requirement.one_of.push_back(value_text(value));
    if (const ConfigNode* otherwise = one.find("otherwise")) requirement.otherwise = *otherwise;
    requirements_.push_back(std::move(requirement));
  }
}

// Whether the user sets this parameter, the whole that it is part of, or it by its parts.
bool Techniques::is_decided(const std::string& path) const {
  return std::any_of(decided_.begin(), decided_.end(), [&path](const std::string& own) {
    return path == own || path.starts_with(own + ".") || path.starts_with(own + "[");
  });
}

void Techniques::refuse(const std::string& path, const ConfigNode* a, const std::string& technique_a,
                        const ConfigNode* b, const std::string& technique_b) {
  if (technique_b < technique_a) refuse(path, b, technique_b, a, technique_a);
  const auto text = [](const ConfigNode* node) {
    return node ? one_line(*node) : std::string("left at its default");
  };
  throw Refusal(fmt::format("--with {} --with {}", technique_a, technique_b),
                fmt::format("{} is {} in {}, {} in {}", path, text(a), technique_a, text(b), technique_b),
                fmt::format("--set {}=VALUE decides it", path));
}

void Techniques::add_setting(Setting setting, std::vector<Setting>& all) const {
  for (const Setting& other : all) {
    const bool same = other.path == setting.path;
    const bool inside =
        setting.path.starts_with(other.path + ".") || other.path.starts_with(setting.path + ".");
    if (!(same || inside) || other.technique == setting.technique || is_decided(setting.path)) continue;
    if (inside || one_line(other.value) != one_line(setting.value))
      refuse(setting.path, &other.value, other.technique, &setting.value, setting.technique);
    return;
  }
  all.push_back(std::move(setting));
}

void Techniques::add_part(Parts& list, const ConfigNode& part, const std::string& technique) const {
  const std::string_view type = type_of_part(part);
  // The n-th part of a type in one technique is the n-th of that type in another.
  const auto of = [&](const std::string& name) {
    std::vector<ConfigNode*> found;
    for (auto& [other, owner] : list.parts)
      if (owner == name && type_of_part(other) == type) found.push_back(&other);
    return found;
  };
  const std::size_t position = of(technique).size();
  std::vector<std::string> owners;
  for (const auto& [other, owner] : list.parts)
    if (owner != technique && type_of_part(other) == type) owners.push_back(owner);
  if (owners.empty()) {
    list.parts.emplace_back(part, technique);
    return;
  }
  const std::vector<ConfigNode*> others = of(owners.front());
  const std::string path = fmt::format("{}[{}]", list.path, type);
  if (position < others.size())
    merge_part(path, *others[position], owners.front(), part, technique);
  else if (!is_decided(list.path))
    refuse(list.path, nullptr, owners.front(), &part, technique);
}

void Techniques::merge_part(const std::string& path, ConfigNode& first, const std::string& first_technique,
                            const ConfigNode& second, const std::string& technique) const {
  for (const auto& [key, value] : second.members) {
    const std::string own = path + "." + key;
    const ConfigNode* other = first.find(key);
    if (other && one_line(*other) == one_line(value)) continue;
    if (!is_decided(own)) refuse(own, other, first_technique, &value, technique);
  }
  for (const auto& [key, value] : first.members)
    if (!second.find(key) && !is_decided(path + "." + key))
      refuse(path + "." + key, &value, first_technique, nullptr, technique);
}

// A part takes the place of the one of its type, or stands before the first that comes behind it.
void Techniques::insert(const Parts& list, ConfigNode& configuration) const {
  ConfigNode* all = find_path(configuration, list.path);
  std::vector<std::string> placed;
  for (const auto& [part, technique] : list.parts) {
    const std::string type(type_of_part(part));
    const auto same = [&](const ConfigNode& other) { return type_of_part(other) == type; };
    if (std::find(placed.begin(), placed.end(), type) == placed.end()) std::erase_if(all->items, same);
    placed.push_back(type);
    const std::size_t own = rank(list.order, part, list.path);
    const auto behind = std::find_if(all->items.begin(), all->items.end(), [&](const ConfigNode& other) {
      return rank(list.order, other, list.path) > own;
    });
    all->items.insert(behind, part.members.size() == 1 ? part.members[0].second : part);
  }
}

void Techniques::lay_on(ConfigNode& configuration) {
  for (const Parts& list : lists_)
    if (!list.parts.empty()) insert(list, configuration);
  for (const Setting& setting : settings_)
    if (!is_decided(setting.path)) set_path(configuration, setting.path, setting.value);
  ConfigNode* technologies = find_path(configuration, "power.technologies");
  for (const ConfigNode& technology : technologies_)
    if (std::none_of(technologies->items.begin(), technologies->items.end(),
                     [&](const ConfigNode& other) { return other.text == technology.text; }))
      technologies->items.push_back(technology);
  put_otherwise(configuration);
}

// What a technique prefers, where the configuration has something that it cannot work with.
void Techniques::put_otherwise(ConfigNode& configuration) const {
  std::vector<Setting> preferred;
  for (const Requirement& needed : requirements_) {
    const ConfigNode* now = find_path(configuration, needed.path);
    const std::string text = now ? value_text(*now) : "";
    const bool met = std::find(needed.one_of.begin(), needed.one_of.end(), text) != needed.one_of.end();
    if (needed.otherwise.kind == ConfigNode::Kind::null || is_decided(needed.path)) continue;
    const auto set = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const Setting& setting) { return setting.path == needed.path; });
    if (met) continue;
    if (set != settings_.end())
      refuse(needed.path, &set->value, set->technique, &needed.otherwise, needed.technique);
    add_setting({needed.path, needed.otherwise, needed.technique}, preferred);
  }
  for (const Setting& setting : preferred) set_path(configuration, setting.path, setting.value);
}

void Techniques::check(const ConfigNode& configuration) const {
  for (const Requirement& needed : requirements_) {
    if (needed.otherwise.kind != ConfigNode::Kind::null) continue;
    const ConfigNode* now = find_path(configuration, needed.path);
    const std::string text = now ? value_text(*now) : "";
    if (std::find(needed.one_of.begin(), needed.one_of.end(), text) == needed.one_of.end())
      throw Refusal(fmt::format("--with {}", needed.technique),
                    fmt::format("{} is {}: {}", needed.path, text, needed.why),
                    fmt::format("{}", fmt::join(needed.one_of, ", ")));
  }
}

}  // namespace heddle::run
