// Reads the sweeps of an experiment file.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/unknown_name.h"
#include "models/core/wildcard.h"
#include "testbench/experiment/reading.h"

namespace heddle::experiment {
namespace {

const ObjectForm kSweepValueForm(
    "experiment", "sweep_value", "a value of a sweep",
    {{"name!", "text"}, {"value", "any"}, {"set", "settings"}, {"set_for", "settings{}", "by variant"}});
const ObjectForm kSweepForm("experiment", "sweep", "a sweep",
                            {{"name!", "text"},
                             {"title", "text"},
                             {"of", "names|names{}", "parameter paths, for all variants or by variant"},
                             {"values!", "(number|string|boolean|sweep_value)[1-]"},
                             {"variants", "names"},
                             {"kernels", "names"}});
std::string label_of(const ConfigNode& value) {
  std::string text = value.is_string() ? value.text : to_json(value);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

using SweptPaths = std::vector<std::pair<std::string, std::vector<std::string>>>;

SweptPaths read_paths(const ConfigNode* node) {
  SweptPaths paths;
  if (!node) return paths;
  if (!node->is_object()) return {{"*", ObjectReader::texts_of(*node)}};
  for (const auto& [pattern, list] : node->members) paths.emplace_back(pattern, ObjectReader::texts_of(list));
  return paths;
}

void put_at(const SweptPaths& paths, const ConfigNode& item, SweepValue& value) {
  for (const auto& [pattern, list] : paths) {
    Assignments sets;
    for (const std::string& path : list) sets.push_back({path, item});
    value.more.emplace_back(pattern, std::move(sets));
  }
}

SweepValue read_sweep_value(const ConfigNode& item, const SweptPaths& paths) {
  SweepValue value;
  value.where = item.where();
  if (!item.is_object()) {
    if (paths.empty())
      throw Error(item.where(), "a plain value, and the sweep has no \"of\"", "\"of\": path");
    value.label = label_of(item);
    put_at(paths, item, value);
    return value;
  }
  const ObjectReader in(item, kSweepValueForm);
  value.label = in.text("name");
  if (in.has("value")) put_at(paths, in.get("value"), value);
  value.sets = read_sets(in.find("set"));
  if (const ConfigNode* some = in.find("set_for")) {
    if (!some->is_object())
      throw Error(some->where(), "not changes by variant", R"({"variant or pattern": {"path.key": value}})");
    for (const auto& [pattern, sets] : some->members) value.more.emplace_back(pattern, read_sets(&sets));
  }
  return value;
}

void add_value(SweepValue value, const std::string& where, Sweep& sweep) {
  for (const SweepValue& other : sweep.values)
    if (other.label == value.label) throw Error(where, fmt::format("a second value \"{}\"", value.label));
  sweep.values.push_back(std::move(value));
}

// Replaces the values of a sweep by the values of the command line. A text that equals the name of a value in
// the file selects this value. Any other text is a new value; this requires that all values of the sweep set
// the same parameters (key "of").
void choose_values(const SweepChoice& choice, const SweptPaths& paths, Sweep& sweep) {
  const std::vector<std::string> known = sweep.labels();
  sweep.left_out = std::exchange(sweep.values, {});
  for (const ConfigNode& given : choice.values) {
    const auto same = std::find_if(
        sweep.left_out.begin(), sweep.left_out.end(),
        [&](const SweepValue& value) { return !given.is_object() && value.label == label_of(given); });
    if (same != sweep.left_out.end()) {
      sweep.values.push_back(std::move(*same));
      sweep.left_out.erase(same);
      continue;
    }
    if (!given.is_object() && paths.empty())
      throw unknown_name(choice.where, "value of this sweep", label_of(given), known);
    add_value(read_sweep_value(given, paths), choice.where, sweep);
  }
}

}  // namespace

void read_sweeps(const ConfigNode& node, ExperimentFile& file, const KnownNames& known) {
  for (const ConfigNode& item : ObjectReader::array(node).items) {
    const ObjectReader in(item, kSweepForm);
    Sweep sweep;
    sweep.name = in.text("name");
    check_name(in.get("name"), sweep.name);
    if (file.find_sweep(sweep.name))
      throw Error(in.get("name").where(), fmt::format("a second sweep named \"{}\"", sweep.name));
    sweep.title = in.has("title") ? in.text("title") : sweep.name;
    sweep.where = item.where();
    const SweptPaths paths = read_paths(in.find("of"));
    for (const ConfigNode& value : ObjectReader::array(in.get("values")).items)
      add_value(read_sweep_value(value, paths), value.where(), sweep);
    if (sweep.values.empty()) throw Error(in.get("values").where(), "no values");
    for (const SweepChoice& choice : file.additions.sweeps)
      if (choice.sweep == sweep.name) choose_values(choice, paths, sweep);
    sweep.variants = select_variants(in.find("variants"), known.variants, file);
    sweep.kernels = select(in.find("kernels"), known.kernels, known.all_kernels, "kernel", known.selection);
    file.sweeps.push_back(std::move(sweep));
  }
}

void add_base_values(ExperimentFile& file) {
  for (const Figure& figure : file.figures)
    for (Sweep& sweep : file.sweeps) {
      if (sweep.name != figure.sweep || figure.relative_value.empty()) continue;
      const auto at =
          std::find_if(sweep.left_out.begin(), sweep.left_out.end(),
                       [&](const SweepValue& value) { return value.label == figure.relative_value; });
      if (at == sweep.left_out.end()) continue;
      at->base_only = true;
      sweep.values.push_back(std::move(*at));
      sweep.left_out.erase(at);
    }
}

std::vector<std::string> Sweep::labels() const {
  std::vector<std::string> shown;
  for (const SweepValue& value : values)
    if (!value.base_only) shown.push_back(value.label);
  return shown;
}

const SweepValue* Sweep::find_left_out(const std::string& label) const {
  for (const auto* list : {&left_out, &values})
    for (const SweepValue& value : *list)
      if (value.label == label && (list == &left_out || value.base_only)) return &value;
  return nullptr;
}

Assignments SweepValue::sets_of(const std::string& variant) const {
  Assignments all = sets;
  for (const auto& [pattern, some] : more)
    if (pattern == "all" || fits(pattern, variant)) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace heddle::experiment
