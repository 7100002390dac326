#include "testbench/run/techniques.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/part_order.h"
#include "models/core/part_path.h"
#include "testbench/run/part_places.h"
#include "testbench/run/tree_path.h"

namespace heddle::run {
namespace {

// Describes an axis (a choice that a machine can make only once) that both techniques decide. Returns an
// empty text if there is no such axis.
std::string common_axis(const std::string& path, const Technique& a, const Technique& b) {
  const TechniqueAxis* common = nullptr;
  for (const TechniqueAxis& axis : a.axes) {
    if (std::find(b.axes.begin(), b.axes.end(), axis) == b.axes.end()) continue;
    if (!common || path.starts_with(axis.path)) common = &axis;
  }
  return common ? fmt::format("both decide the {}, and {}: ", common->name, common->reason) : "";
}

// Throws Error if the two techniques declare different axes with the same name.
void check_axes(const Technique& a, const Technique& b) {
  for (const TechniqueAxis& axis : a.axes)
    for (const TechniqueAxis& other : b.axes)
      if (axis.name == other.name && axis != other)
        throw Error(fmt::format("--with {} --with {}", a.name, b.name),
                    fmt::format("two axes \"{}\": {} at {}, {} at {}", axis.name, axis.reason, axis.path,
                                other.reason, other.path),
                    "one axis of a name");
}

std::string text_or_default(const ConfigNode* node) { return node ? one_line(*node) : "left at its default"; }

}  // namespace

Techniques::Techniques(const std::vector<ConfigNode>& names, std::vector<std::string> decided)
    : decided_(std::move(decided)) {
  for (const TechniqueList& list : technique_lists()) lists_.push_back({list.path, {}});
  std::vector<std::string> own;
  for (const ConfigNode& name : names) {
    const std::string file = technique_file(name);
    if (std::find(own.begin(), own.end(), file) != own.end()) continue;
    own.push_back(file);
    techniques_.push_back(read_technique(file, files_));
    for (const Technique& other : techniques_) check_axes(other, techniques_.back());
    names_.push_back(techniques_.back().name);
  }
  std::sort(files_.begin(), files_.end());
  files_.erase(std::unique(files_.begin(), files_.end()), files_.end());
  for (const Technique& technique : techniques_) add(technique);
}

void Techniques::add(const Technique& technique) {
  for (std::size_t i = 0; i < lists_.size(); ++i)
    for (const ConfigNode& part : technique.parts[i]) add_part(lists_[i], part, technique);
  for (const auto& [path, value] : technique.settings) add_setting({path, value, &technique});
}

// Returns true if the user sets this parameter, a group that contains the parameter, or a member of the
// parameter.
bool Techniques::is_decided(const std::string& path) const {
  return std::any_of(decided_.begin(), decided_.end(), [&path](const std::string& own) {
    return path == own || path.starts_with(own + ".") || path.starts_with(own + "[");
  });
}

void Techniques::refuse(const std::string& path, const std::string& what, const Technique& a,
                        const Technique& b) {
  const auto& [first, second] = std::minmax(a.name, b.name);
  const std::string axis = common_axis(path, a, b);
  throw Refusal(fmt::format("--with {} --with {}", first, second),
                fmt::format("{}{} is {}", axis, path, what),
                fmt::format("{}--set {}=VALUE decides it", axis.empty() ? "" : "one of them; ", path));
}

void Techniques::add_setting(Setting setting) {
  for (const Setting& other : settings_) {
    const bool same = other.path == setting.path;
    const bool inside =
        setting.path.starts_with(other.path + ".") || other.path.starts_with(setting.path + ".");
    if (!(same || inside) || other.technique == setting.technique || is_decided(setting.path)) continue;
    if (inside || one_line(other.value) != one_line(setting.value))
      refuse(setting.path, differing(&other.value, *other.technique, &setting.value, *setting.technique),
             *other.technique, *setting.technique);
    return;
  }
  settings_.push_back(std::move(setting));
}

// Returns a text such as "8 in first, 16 in second": the values that the techniques "first" and "second" give
// to a parameter. The techniques are in alphabetical order.
std::string Techniques::differing(const ConfigNode* a, const Technique& in_a, const ConfigNode* b,
                                  const Technique& in_b) {
  if (in_b.name < in_a.name) return differing(b, in_b, a, in_a);
  return fmt::format("{} in {}, {} in {}", text_or_default(a), in_a.name, text_or_default(b), in_b.name);
}

void Techniques::add_part(Parts& list, const ConfigNode& part, const Technique& technique) const {
  const std::string_view type = type_of_part(part);
  // A technique may add several parts of one type. The n-th part of this type in one technique corresponds to
  // the n-th part in the other technique.
  const auto of = [&](const Technique* owner) {
    std::vector<const ConfigNode*> found;
    for (const auto& [other, its] : list.parts)
      if (its == owner && type_of_part(other) == type) found.push_back(&other);
    return found;
  };
  const std::size_t position = of(&technique).size();
  const auto other = std::find_if(list.parts.begin(), list.parts.end(), [&](const auto& entry) {
    return entry.second != &technique && type_of_part(entry.first) == type;
  });
  if (other == list.parts.end()) {
    list.parts.emplace_back(part, &technique);
    return;
  }
  const Technique& owner = *other->second;
  const std::vector<const ConfigNode*> others = of(&owner);
  const std::string path = fmt::format("{}[{}]", list.path, type);
  if (position < others.size())
    merge_part(path, *others[position], owner, part, technique);
  else if (!is_decided(list.path))
    refuse(list.path, differing(nullptr, owner, &part, technique), owner, technique);
}

void Techniques::merge_part(const std::string& path, const ConfigNode& first, const Technique& owner,
                            const ConfigNode& second, const Technique& technique) const {
  const auto compare = [&](const std::string& key) {
    const ConfigNode *a = first.find(key), *b = second.find(key);
    if ((a && b && one_line(*a) == one_line(*b)) || is_decided(path + "." + key)) return;
    refuse(path + "." + key, differing(a, owner, b, technique), owner, technique);
  };
  for (const auto& [key, value] : second.members) compare(key);
  for (const auto& [key, value] : first.members) compare(key);
}

// Inserts the techniques' stages into a list of the machine. A stage replaces a stage of the same type. If
// the list has no such stage, the new stage is inserted before the first stage that must come after it.
void Techniques::insert(const Parts& list, ConfigNode& configuration) const {
  ConfigNode* all = find_path(configuration, list.path);
  const PartOrder order = PartOrder::of_place(list.path);
  std::vector<std::string> placed;
  for (const auto& [part, technique] : list.parts) {
    const std::string type(type_of_part(part));
    order.rank(type, part.where());  // to throw Error for an unknown type
    const auto same = [&](const ConfigNode& other) { return type_of_part(other) == type; };
    if (!order.is_placed(type) && std::none_of(all->items.begin(), all->items.end(), same))
      throw Error(part.where(), fmt::format("\"{}\" does not say where it stands in {}", type, list.path),
                  "kinds or types in `before` or `after` of its registration (models/core/registry.h)");
    if (std::find(placed.begin(), placed.end(), type) == placed.end()) std::erase_if(all->items, same);
    placed.push_back(type);
    insert_part(*all, order, part.members.size() == 1 ? part.members[0].second : part);
  }
}

void Techniques::lay_on(ConfigNode& configuration) {
  before_ = configuration;
  for (const Parts& list : lists_)
    if (!list.parts.empty()) insert(list, configuration);
  for (const Setting& setting : settings_)
    if (!is_decided(setting.path))
      set_path(configuration, setting.path,
               is_of_preset(setting.value) ? of_preset(setting.value, setting.path, before_, sizes_)
                                           : setting.value);
  put_otherwise(configuration);
}

std::vector<ConfigNode> Techniques::technologies() const {
  std::vector<ConfigNode> all;
  for (const Technique& technique : techniques_)
    for (const ConfigNode& technology : technique.technologies)
      if (std::none_of(all.begin(), all.end(),
                       [&](const ConfigNode& other) { return other.text == technology.text; }))
        all.push_back(technology);
  return all;
}

// Replaces a part of the machine that does not meet a technique's requirement. If several replacements suit
// all techniques, the technique first in alphabetical order chooses.
void Techniques::put_otherwise(ConfigNode& configuration) {
  std::vector<std::string> done;
  for (const Technique& technique : techniques_)
    for (const Technique::Requirement& needed : technique.requirements) {
      if (needed.otherwise.kind == ConfigNode::Kind::null || is_decided(needed.path) ||
          is_of_absent_part(configuration, needed.path) ||
          is_met(needed, find_path(configuration, needed.path)))
        continue;
      const auto set = std::find_if(settings_.begin(), settings_.end(),
                                    [&](const Setting& setting) { return setting.path == needed.path; });
      if (set != settings_.end())
        refuse(needed.path,
               fmt::format("{}, and {} needs one of {}: {}", text_or_default(&set->value), technique.name,
                           allowed_by(needed), needed.why),
               *set->technique, technique);
      const auto [preferring, preferred] = preferred_for(needed.path);
      if (!preferred) refuse(needed.path, "wanted differently: " + needed.why, technique, technique);
      set_path(configuration, needed.path, preferred->otherwise);
      if (preferring->name != technique.name && one_line(preferred->otherwise) != one_line(needed.otherwise))
        notes_.push_back(fmt::format("{} is {} by {}, which {} would have as {}", needed.path,
                                     one_line(preferred->otherwise), preferring->name, technique.name,
                                     one_line(needed.otherwise)));
    }
}

// Returns a replacement of a part that suits all techniques. If several techniques name such a replacement,
// returns that of the technique first in alphabetical order.
std::pair<const Technique*, const Technique::Requirement*> Techniques::preferred_for(
    const std::string& path) const {
  std::pair<const Technique*, const Technique::Requirement*> best{};
  for (const Technique& technique : techniques_)
    for (const Technique::Requirement& one : technique.requirements) {
      const bool does = one.path == path && one.otherwise.kind != ConfigNode::Kind::null &&
                        std::all_of(techniques_.begin(), techniques_.end(), [&](const Technique& other) {
                          return std::all_of(other.requirements.begin(), other.requirements.end(),
                                             [&](const Technique::Requirement& asked) {
                                               return asked.path != path || is_met(asked, &one.otherwise);
                                             });
                        });
      if (does && (!best.first || technique.name < best.first->name)) best = {&technique, &one};
    }
  return best;
}

void Techniques::check(const ConfigNode& configuration) const {
  for (const Technique& technique : techniques_)
    for (const Technique::Requirement& needed : technique.requirements) {
      if (is_of_absent_part(configuration, needed.path)) continue;
      const ConfigNode* now = find_path(configuration, needed.path);
      if (needed.otherwise.kind == ConfigNode::Kind::null && !is_met(needed, now))
        throw Refusal(fmt::format("--with {}", technique.name),
                      fmt::format("{} is {}: {}", needed.path, now ? value_text(*now) : "", needed.why),
                      allowed_by(needed));
    }
}

void Techniques::finish(ConfigNode& configuration) {
  check(configuration);
  resolve_sizes(configuration, sizes_);
  for (const Technique& technique : techniques_)
    notes_.insert(notes_.end(), technique.notes.begin(), technique.notes.end());
  for (const RelativeSize& size : sizes_)
    notes_.push_back(fmt::format("{} is {}: {}", size.path, size.value, size.by));
  for (std::string& note : notes_where_they_meet(settings_, lists_.front(), before_, configuration))
    notes_.push_back(std::move(note));
  // With the account "papers", the prices of a technique are in its own table. A note names the techniques
  // without such a table. The account "machine" has one table for all techniques and needs no such note.
  const ConfigNode* account = find_path(configuration, "power.account");
  if (account && account->unwrapped().text == "papers")
    for (std::string& note : notes_of_prices(techniques_)) notes_.push_back(std::move(note));
}

}  // namespace heddle::run
