// Reads the keys "groups" (named lists of variants) and "searches" of an experiment file. Also reads lists of
// variants in which "@name" stands for a group or for the results of a search.

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "testbench/experiment/reading.h"

namespace heddle::experiment {
namespace {

const ObjectForm kGoalForm("experiment", "goal", "a goal",
                           {{"name!", "text"},
                            {"metric!", "text", "one of \"metrics\": the lowest mean is best"},
                            {"limit", "text", "another one, whose mean is to be"},
                            {"at_most", "number"}});
const ObjectForm kSearchForm(
    "experiment", "search", "a search",
    {{"name!", "text"},
     {"from!", "names", "variants that stacks are made of"},
     {"goals!", "goal[1-]"},
     {"relative_to", "text"},
     {"mean", "'arithmetic'|'geometric'|'geometric-saving'|'minimum'|'maximum'"},
     {"keep", "integer>=1", "stacks of each size that the next size is built from, by each goal; default: 8"},
     {"up_to", "integer>=1", "most variants of a stack; default: 4; 1: only the listed variants are tried"},
     {"best", "integer>=1", "number of best stacks in the result, by each goal; default: 10"}},
    {}, "stacks that are built from the best smaller ones");

// Returns a JSON node with this text and with line and path of `node`, so that error messages name this line
// and path.
ConfigNode text_at(const ConfigNode& node, std::string value) {
  ConfigNode text = ConfigNode::make_string(std::move(value), node.file);
  text.line = node.line;
  text.path = node.path;
  return text;
}
ConfigNode list_at(const ConfigNode& node) {
  ConfigNode list = ConfigNode::make_list({}, node.file);
  list.line = node.line;
  list.path = node.path;
  return list;
}

bool is_reference(const std::string& name) { return name.starts_with('@'); }

const Search* search_of(const std::string& reference, const ExperimentFile& file) {
  const std::string name = reference.substr(1, reference.find(':') - 1);
  const auto at = std::find_if(file.searches.begin(), file.searches.end(),
                               [&](const Search& search) { return search.name == name; });
  return at == file.searches.end() ? nullptr : &*at;
}

std::string references(const ExperimentFile& file) {
  std::string names;
  for (const auto& [name, group] : file.groups) names += (names.empty() ? "@" : ", @") + name;
  for (const Search& search : file.searches) names += (names.empty() ? "@" : ", @") + search.name;
  return names.empty() ? "names of variants; the file has no \"groups\" and no \"searches\"" : names;
}

// Returns the combinations of techniques that a search has found; empty if the search has not ended.
std::vector<std::string> found_by(const std::string& reference, const ConfigNode& node,
                                  const ExperimentFile& file, bool* pending) {
  const auto& all = file.additions.found;
  const auto found = all.find(reference.substr(1));
  if (found != all.end() && found->second.empty())
    throw Error(node.where(), fmt::format("\"{}\" has found no stack", reference));
  if (found != all.end()) return found->second;
  const Search* search = search_of(reference, file);
  if (all.contains(search->name)) throw Error(node.where(), fmt::format("no goal of \"{}\"", reference));
  if (!pending) throw Error(node.where(), fmt::format("\"{}\" is not known before its search", reference));
  *pending = true;
  return {};
}

int number_of(const ObjectReader& in, const char* key, int otherwise, int least) {
  const ConfigNode* node = in.find(key);
  if (!node) return otherwise;
  if (!node->is_integer || node->integer < least || node->integer > 1000)
    throw Error(node->where(), "not such a number", fmt::format("{} to 1000", least));
  return static_cast<int>(node->integer);
}

std::vector<SearchGoal> read_goals(const ConfigNode& node) {
  std::vector<SearchGoal> goals;
  for (const ConfigNode& item : ObjectReader::array(node).items) {
    const ObjectReader in(item, kGoalForm);
    SearchGoal goal{in.text("name"), in.text("metric"), in.text("limit", false), 0};
    check_name(in.get("name"), goal.name);
    if (in.has("limit") != in.has("at_most"))
      throw Error(item.where(), "half of a limit", "both of limit and at_most, or none of them");
    if (in.has("at_most")) goal.at_most = in.get("at_most").number;
    goals.push_back(std::move(goal));
  }
  return goals;
}

// Builds the figure of a search as a tree with the keys of a figure in the file. The reader of figures can
// then read the tree.
Figure figure_of(const ConfigNode& node, const Search& search, const ExperimentFile& file,
                 const KnownNames& known) {
  const auto text = [&](const std::string& value) { return text_at(node, value); };
  ConfigNode figure = node;
  figure.members.clear();
  for (const char* key : {"relative_to", "mean"})
    if (const ConfigNode* member = node.find(key)) figure.members.emplace_back(key, *member);
  ConfigNode metrics = list_at(node);
  const auto add = [&](const std::string& name) {
    const bool there = std::any_of(metrics.items.begin(), metrics.items.end(),
                                   [&](const ConfigNode& other) { return other.text == name; });
    if (!name.empty() && !there) metrics.items.push_back(text(name));
  };
  for (const SearchGoal& goal : search.goals) add(goal.metric);
  for (const SearchGoal& goal : search.goals) add(goal.limit);
  ConfigNode variants = list_at(node);
  for (const Variant& variant : file.variants) {
    const bool within = std::all_of(variant.combines.begin(), variant.combines.end(), [&](const auto& part) {
      return std::find(search.from.begin(), search.from.end(), part) != search.from.end();
    });
    const bool single = std::find(search.from.begin(), search.from.end(), variant.name) != search.from.end();
    if (single || (within && !variant.combines.empty())) variants.items.push_back(text(variant.name));
  }
  figure.members.emplace_back("id", text("search-" + search.name));
  figure.members.emplace_back("title", text("Search " + search.name));
  figure.members.emplace_back("kind", text("table"));
  figure.members.emplace_back("x", text("variant"));
  figure.members.emplace_back("metrics", std::move(metrics));
  figure.members.emplace_back("variants", std::move(variants));
  return read_figure(figure, file, known);
}

}  // namespace

std::vector<std::string> read_variant_names(const ConfigNode& node, const ExperimentFile& file,
                                            bool* pending) {
  std::vector<std::string> names;
  for (const std::string& name : ObjectReader::texts_of(node)) {
    if (!is_reference(name)) {
      names.push_back(name);
    } else if (const auto group = file.groups.find(name.substr(1)); group != file.groups.end()) {
      names.insert(names.end(), group->second.begin(), group->second.end());
    } else if (search_of(name, file)) {
      const std::vector<std::string> found = found_by(name, node, file, pending);
      names.insert(names.end(), found.begin(), found.end());
    } else {
      throw Error(node.where(), fmt::format("no group or search \"{}\"", name), references(file));
    }
  }
  return names;
}

bool names_a_search(const ConfigNode* node, const ExperimentFile& file) {
  if (!node) return false;
  const std::vector<std::string> names = ObjectReader::texts_of(*node);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return is_reference(name) && !file.groups.contains(name.substr(1)) && search_of(name, file);
  });
}

std::vector<std::string> select_variants(const ConfigNode* node, const std::vector<std::string>& known,
                                         const ExperimentFile& file, bool* pending) {
  if (!node) return known;
  ConfigNode plain = list_at(*node), searched = list_at(*node);
  const bool one = !node->is_array();
  for (const ConfigNode& item : one ? std::vector{*node} : node->items)
    if (names_a_search(&item, file))
      searched.items.push_back(item);
    else
      for (const std::string& name : read_variant_names(item, file))
        plain.items.push_back(text_at(*node, name));
  std::vector<std::string> names;
  if (!plain.items.empty() || searched.items.empty()) names = select(&plain, known, {}, "variant");
  if (searched.items.empty()) return names;
  for (const std::string& name : read_variant_names(searched, file, pending))
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

void read_groups(const ConfigNode* groups, const ConfigNode* searches, ExperimentFile& file) {
  if (groups && !groups->is_object())
    throw Error(groups->where(), "not groups of variants", R"({"name": ["variant", ...]})");
  if (groups)
    for (const auto& [name, node] : groups->members) {
      check_name(node, name);
      std::vector<std::string> variants = read_variant_names(node, file);
      file.groups.emplace(name, std::move(variants));
    }
  if (!searches) return;
  for (const ConfigNode& item : ObjectReader::array(*searches).items) {
    const ObjectReader in(item, kSearchForm);
    Search search;
    search.name = in.text("name");
    search.where = item.where();
    check_name(in.get("name"), search.name);
    if (file.groups.contains(search.name) || search_of("@" + search.name, file))
      throw Error(in.get("name").where(), fmt::format("a second group or search \"{}\"", search.name));
    file.searches.push_back(std::move(search));
  }
}

void read_searches(const ConfigNode& node, ExperimentFile& file, const KnownNames& known) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const ObjectReader in(node.items[i], kSearchForm);
    Search& search = file.searches[i];
    search.from = read_variant_names(in.get("from"), file);
    for (const std::string& name : search.from) {
      const Variant* variant = file.find_variant(name);
      if (!variant || !variant->combines.empty())
        throw Error(in.get("from").where(), fmt::format("\"{}\" is no single variant", name));
    }
    search.goals = read_goals(in.get("goals"));
    search.keep = number_of(in, "keep", search.keep, 1);
    search.up_to = number_of(in, "up_to", search.up_to, 1);
    search.best = number_of(in, "best", search.best, 1);
    search.figure = figure_of(node.items[i], search, file, known);
  }
}

}  // namespace heddle::experiment
