#include "testbench/experiment/experiment_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/read_file.h"
#include "models/core/unknown_name.h"
#include "models/core/wildcard.h"
#include "testbench/experiment/inherited_experiment.h"
#include "testbench/experiment/reading.h"
#include "testbench/run/data_files.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;

const TypeForm kNamesForm("experiment", "names", "text|text[]");
const TypeForm kLinesForm("experiment", "lines", "text|text[1-]",
                          "a text, or a list of lines that are joined by blanks");
const TypeForm kParagraphsForm("experiment", "paragraphs", "text|lines[]");
const TypeForm kSettingsForm("experiment", "settings", "any{}",
                             "parameter paths (heddle schema parameters) and their values");
const ObjectForm kCombinationForm("experiment", "combination", "combinations of variants",
                                  {{"combine!", "names"},
                                   {"by", "integer>=2", "number of variants per combination; default: 2"}},
                                  {}, "adds a variant a+b for every `by` of these variants");
const ObjectForm kVariantForm("experiment", "variant", "a variant",
                              {{"name!", "text"},
                               {"description", "lines"},
                               {"like", "text"},
                               {"with", "path|path[]"},
                               {"set", "settings"}});
const ObjectForm kExperimentForm(
    "experiment", "", "an experiment",
    {{"$schema", "string"},
     {"name!", "text"},
     {"like", "path",
      "experiment that this one extends, by name or file: objects merge by key, lists by name; null removes"},
     {"description", "lines"},
     {"base", "object", "a scenario without its launch file (heddle schema scenario)"},
     {"sizes", "size{}"},
     {"launches", "lines", "registers, warps and CTAs of launches that the paper prints"},
     {"parts", "text{}"},
     {"groups", "names{}", "groups of variants; lists of variants name them as \"@group\""},
     {"guests", "text", "group that the techniques of --with join"},
     {"variants", "(variant|combination)[1-]|any{}", "in a file with \"like\" also changes by name"},
     {"searches", "search[]"},
     {"sweeps", "sweep[]|any{}"},
     {"define", "lines{}"},
     {"metrics", "(names|named_metric){}"},
     {"figures", "figure[1-]|any{}"},
     {"covers", "names"},
     {"elsewhere", "lines{}"},
     {"decides", "cause[]", "published orders and levels that were not measured, with the tried changes"},
     {"opening", "opening"}},
    {}, "Variants of a configuration x kernels x sweeps, with figures. See experiments.md.");

constexpr std::size_t kLongestName = 100;  // Names are limited, because they become parts of file names.

bool is_chosen(const std::string& pattern, const std::string& name) {
  return pattern == "all" || fits(pattern, name);
}

void replace(Assignments& sets, const Assignment& set) {
  std::erase_if(sets, [&set](const Assignment& other) {
    return other.path == set.path || other.path.starts_with(set.path + ".");
  });
  sets.push_back(set);
}

using VariantPositions = std::unordered_map<std::string, std::size_t>;

void check_is_new(const std::string& variant, const ConfigNode& name, const VariantPositions& above) {
  if (above.contains(variant))
    throw Error(name.where(), fmt::format("a second variant named \"{}\"", variant));
}

void add_variant(Variant variant, VariantPositions& above, ExperimentFile& file) {
  above.emplace(variant.name, file.variants.size());
  file.variants.push_back(std::move(variant));
}

// Returns one variant with the settings of all variants in `parts`. If two of them set the same parameter,
// the value of the later variant counts.
Variant combination_of(const std::vector<std::string>& parts, const std::string& where,
                       const VariantPositions& above, const ExperimentFile& file) {
  Variant variant;
  variant.where = where;
  for (const std::string& name : parts) {
    const Variant& part = file.variants[above.at(name)];
    variant.combines.push_back(part.name);
    for (const ConfigNode& with : part.with) {
      const bool there = std::any_of(variant.with.begin(), variant.with.end(),
                                     [&](const ConfigNode& other) { return other.text == with.text; });
      if (!there) variant.with.push_back(with);
    }
    for (const Assignment& set : part.sets) replace(variant.sets, set);
  }
  variant.name = fmt::format("{}", fmt::join(variant.combines, "+"));
  for (const ConfigNode& with : variant.with) variant.own_with.push_back(with.text);
  variant.own = variant.sets;
  return variant;
}

// Reads {"combine": ["a", "b", "c"], "by": 2}: for every two of the variants, adds a variant such as "a+b"
// with the settings of both.
void read_combinations(const ConfigNode& item, VariantPositions& above, ExperimentFile& file) {
  const ObjectReader in(item, kCombinationForm);
  const std::vector<std::string> names = read_variant_names(in.get("combine"), file);
  const ConfigNode* by = in.find("by");
  const std::int64_t size = by ? (by->is_integer ? by->integer : 0) : 2;
  if (size < 2 || static_cast<std::size_t>(size) > names.size())
    throw Error((by ? *by : in.get("combine")).where(), "not so many of these variants together",
                fmt::format("2 to {}", names.size()));
  for (const std::string& name : names)
    if (!above.contains(name))
      throw Error(in.get("combine").where(), fmt::format("no variant \"{}\" above", name));
  std::vector<bool> chosen(names.size(), false);
  std::fill(chosen.begin(), chosen.begin() + size, true);
  do {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (chosen[i]) parts.push_back(names[i]);
    Variant variant = combination_of(parts, item.where(), above, file);
    check_is_new(variant.name, in.get("combine"), above);
    add_variant(std::move(variant), above, file);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
}

// Adds a variant for each technique of --with. Also adds these variants to the group of variants that the
// experiment file's key "guests" names.
void add_guests(const ConfigNode* guests, VariantPositions& above, ExperimentFile& file) {
  for (const std::string& technique : file.additions.techniques) {
    if (!guests)
      throw Error("--with " + technique, "this experiment takes no techniques in addition to its own",
                  "an experiment with \"guests\", the group that they join");
    const auto group = file.groups.find(ObjectReader::text_of(*guests));
    if (group == file.groups.end())
      throw Error(guests->where(), fmt::format("no group \"{}\"", guests->text));
    Variant variant;
    variant.name = std::filesystem::path(technique).stem().string();
    variant.doc = "of --with";
    variant.where = "--with " + technique;
    const ConfigNode name = ConfigNode::make_string(technique, "--with");
    check_name(name, variant.name);
    check_is_new(variant.name, name, above);
    variant.with = {name};
    variant.own_with = {variant.name};
    group->second.push_back(variant.name);
    add_variant(std::move(variant), above, file);
  }
}

// Reads the variants. Before the first combination of variants, inserts the variants of --with, so that
// combinations include them.
void read_variants(const ConfigNode& node, const ConfigNode* guests, ExperimentFile& file) {
  VariantPositions above;
  bool come = false;
  for (const ConfigNode& item : ObjectReader::array(node).items) {
    if (item.find("combine")) {
      if (!std::exchange(come, true)) add_guests(guests, above, file);
      read_combinations(item, above, file);
      continue;
    }
    const ObjectReader in(item, kVariantForm);
    Variant variant;
    variant.name = in.text("name");
    check_name(in.get("name"), variant.name);
    check_is_new(variant.name, in.get("name"), above);
    variant.doc = read_text(in, "description");
    variant.where = item.where();
    if (const ConfigNode* like = in.find("like")) {
      variant.like = ObjectReader::text_of(*like);
      const auto other = above.find(variant.like);
      if (other == above.end())
        throw Error(like->where(), fmt::format("no variant \"{}\" above", variant.like));
      variant.sets = file.variants[other->second].sets;
      variant.with = file.variants[other->second].with;
    }
    if (const ConfigNode* with = in.find("with"))
      for (const ConfigNode& name : ObjectReader::array(*with).items) {
        variant.with.push_back(name);
        variant.own_with.push_back(name.text);
      }
    variant.own = read_sets(in.find("set"));
    for (const Assignment& set : variant.own) replace(variant.sets, set);
    add_variant(std::move(variant), above, file);
  }
  if (!come) add_guests(guests, above, file);
  if (file.variants.empty()) throw Error(node.where(), "no variants");
  for (const std::vector<std::string>& stack : file.additions.stacks) {
    Variant variant = combination_of(stack, node.where(), above, file);
    if (!above.contains(variant.name)) add_variant(std::move(variant), above, file);
  }
}

// Completes a figure with keys of the figure that its key `like` names. Copies the keys that the figure
// lacks, except published figures, note and order. A null in the figure removes a key.
ConfigNode like_another(const ConfigNode& own, std::map<std::string, ConfigNode>& earlier) {
  ConfigNode whole = own;
  if (const ConfigNode* like = own.find("like")) {
    const auto other = earlier.find(ObjectReader::text_of(*like));
    if (other == earlier.end()) throw Error(like->where(), fmt::format("no figure \"{}\" above", like->text));
    for (const auto& [key, member] : other->second.members)
      if (key != "published" && key != "note" && key != "order" && !own.find(key))
        whole.members.emplace_back(key, member);
    std::erase_if(whole.members, [](const auto& member) {
      return member.first == "like" || member.second.kind == ConfigNode::Kind::null;
    });
  }
  if (const ConfigNode* id = whole.find("id"); id && id->is_string()) earlier[id->text] = whole;
  return whole;
}

void read_elsewhere(const ConfigNode* node, ExperimentFile& file) {
  if (!node) return;
  if (!node->is_object())
    throw Error(node->where(), "not a set of places", R"({"published id": "where it is"})");
  for (const auto& [id, place] : node->members)
    file.elsewhere.emplace_back(id, ObjectReader::text_of(whole_text(place)));
}

void choose_kernels(ExperimentFile& file, KnownNames& known) {
  for (const Kernel& kernel : file.kernels) known.kernels.push_back(kernel.name);
  if (file.additions.kernels.empty()) return;
  known.all_kernels.insert(known.all_kernels.end(), known.kernels.begin(), known.kernels.end());
  known.selection = Selection::maybe_none;
  ConfigNode wanted = ConfigNode::make_texts(file.additions.kernels, "--kernels");
  wanted.file = "--kernels";
  known.kernels = select(&wanted, known.kernels, {}, "kernel");
  std::erase_if(file.kernels, [&known](const Kernel& kernel) {
    return std::find(known.kernels.begin(), known.kernels.end(), kernel.name) == known.kernels.end();
  });
}

void check_choices(const ExperimentFile& file) {
  std::vector<std::string> names;
  for (const Sweep& sweep : file.sweeps) names.push_back(sweep.name);
  for (const SweepChoice& choice : file.additions.sweeps)
    if (!file.find_sweep(choice.sweep)) throw unknown_name(choice.where, "sweep", choice.sweep, names);
}

template <class Item, class Name>
const Item* find_by(const std::vector<Item>& items, const std::string& wanted, Name name) {
  const auto it = std::find_if(items.begin(), items.end(), [&](const Item& i) { return name(i) == wanted; });
  return it == items.end() ? nullptr : &*it;
}

}  // namespace

Assignments read_sets(const ConfigNode* node) {
  Assignments sets;
  if (!node) return sets;
  if (!node->is_object()) throw Error(node->where(), "not a set of changes", R"({"path.key": value, ...})");
  for (const auto& [path, value] : node->members) sets.push_back({path, value});
  return sets;
}

ConfigNode whole_text(const ConfigNode& node) {
  if (!node.is_array()) return node;
  if (node.items.empty()) throw Error(node.where(), "a text of no lines", "a string, or a list of its lines");
  ConfigNode whole = node.items[0];
  whole.text = fmt::format("{}", fmt::join(ObjectReader::texts_of(node), " "));
  return whole;
}
std::string read_text(const ObjectReader& in, std::string_view key) {
  const ConfigNode* node = in.find(key);
  return node ? ObjectReader::text_of(whole_text(*node)) : std::string{};
}

void check_name(const ConfigNode& node, const std::string& name) {
  const bool good = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == '+' || c == ' ';
  });
  if (!good || name.empty() || name[0] == '.' || name.size() > kLongestName)
    throw Error(node.where(), fmt::format("\"{}\" is not a name", printable(name)),
                fmt::format("up to {} letters, digits, blanks, - _ . +", kLongestName));
}

std::vector<std::string> select(const ConfigNode* patterns, const std::vector<std::string>& known,
                                const std::vector<std::string>& elsewhere, const char* what,
                                Selection selection) {
  if (!patterns) return known;
  std::vector<bool> chosen(known.size(), false);
  for (const std::string& pattern : ObjectReader::texts_of(*patterns)) {
    bool found = std::any_of(elsewhere.begin(), elsewhere.end(),
                             [&](const std::string& name) { return is_chosen(pattern, name); });
    for (std::size_t i = 0; i < known.size(); ++i)
      if (is_chosen(pattern, known[i])) found = chosen[i] = true;
    if (!found)
      throw Error(patterns->where(), fmt::format("no {} fits \"{}\"", what, pattern),
                  fmt::format("{}", fmt::join(known, ", ")));
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (chosen[i]) names.push_back(known[i]);
  if (names.empty() && selection == Selection::some)
    throw Error(patterns->where(), fmt::format("the chosen size has none of these {}s", what),
                fmt::format("{}", fmt::join(known, ", ")));
  return names;
}

const Metric* Figure::find_metric(const std::string& wanted) const {
  if (wanted.empty()) return metrics.size() == 1 ? &metrics.front() : nullptr;
  return find_by(metrics, wanted, [](const Metric& m) { return m.name; });
}
std::string ExperimentFile::full_path(const std::string& written) const {
  const std::size_t end = std::min(written.find_first_of(".["), written.size());
  const auto part = parts.find(written.substr(0, end));
  return part == parts.end() ? written : part->second + written.substr(end);
}
const Variant* ExperimentFile::find_variant(const std::string& wanted) const {
  return find_by(variants, wanted, [](const Variant& v) { return v.name; });
}
const Sweep* ExperimentFile::find_sweep(const std::string& wanted) const {
  return find_by(sweeps, wanted, [](const Sweep& s) { return s.name; });
}
const Figure* ExperimentFile::find_figure(const std::string& wanted) const {
  return find_by(figures, wanted, [](const Figure& f) { return f.id; });
}

ExperimentFile read_experiment(const std::string& path, const std::string& size, const Additions& additions) {
  ExperimentFile file;
  const ConfigNode root = read_inherited_experiment(path, file.files);
  const ObjectReader in(root, kExperimentForm);
  file.path = path;
  file.size = size;
  file.additions = additions;
  file.name = in.text("name");
  check_name(in.get("name"), file.name);
  file.description = read_text(in, "description");
  file.launches = read_text(in, "launches");
  file.base = in.get("base");
  if (!file.base.is_object()) throw Error(file.base.where(), "not a scenario", "an object");
  if (const ConfigNode* launch = file.base.find("launch"))
    throw Error(launch->where(), "the base names a launch file", "kernels, in the sizes");
  const ConfigNode& sizes = in.get("sizes");
  const ConfigNode* chosen = sizes.is_object() ? sizes.find(size) : nullptr;
  std::string names;
  for (const auto& [name, node] : sizes.members) {
    check_name(node, name);
    file.sizes.push_back(name);
  }
  for (const auto& [name, node] : sizes.members) names += (names.empty() ? "" : ", ") + name;
  if (!chosen) throw Error(sizes.where(), fmt::format("no size \"{}\"", size), names);
  KnownNames known;
  known.all_kernels = kernels_of_heddle();
  read_size(*chosen, known.all_kernels, file);
  choose_kernels(file, known);
  if (const ConfigNode* parts = in.find("parts"))
    for (const Assignment& part : read_sets(parts)) {
      check_name(part.value, part.path);
      file.parts.emplace(part.path, ObjectReader::text_of(part.value));
    }
  read_groups(in.find("groups"), in.find("searches"), file);
  read_variants(in.get("variants"), in.find("guests"), file);
  for (const Variant& variant : file.variants) known.variants.push_back(variant.name);
  if (const ConfigNode* sweeps = in.find("sweeps")) read_sweeps(*sweeps, file, known);
  if (const ConfigNode* define = in.find("define")) read_definitions(*define, file);
  if (const ConfigNode* metrics = in.find("metrics")) read_named_metrics(*metrics, file);
  if (const ConfigNode* searches = in.find("searches")) read_searches(*searches, file, known);
  check_choices(file);
  std::map<std::string, ConfigNode> nodes;
  for (const ConfigNode& own : ObjectReader::array(in.get("figures")).items) {
    const ConfigNode node = like_another(own, nodes);
    Figure figure = read_figure(node, file, known);
    if (file.find_figure(figure.id))
      throw Error(node.where(), fmt::format("a second figure \"{}\"", figure.id));
    (figure.kernels.empty() ? file.left_out : file.figures).push_back(std::move(figure));
  }
  add_base_values(file);
  if (file.figures.empty() && !file.left_out.empty())
    throw Error("--kernels", "no figure has a run of these kernels");
  if (file.figures.empty()) throw Error(in.get("figures").where(), "no figures");
  if (const ConfigNode* covers = in.find("covers")) file.covers = ObjectReader::texts_of(*covers);
  read_elsewhere(in.find("elsewhere"), file);
  if (const ConfigNode* opening = in.find("opening")) file.opening = read_opening(*opening, file);
  if (const ConfigNode* decides = in.find("decides")) file.causes = read_causes(*decides, file);
  return file;
}

}  // namespace heddle::experiment
