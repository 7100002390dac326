#include "testbench/experiment/published.h"

#include <fmt/format.h>

#include <algorithm>

#include <set>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/wildcard.h"
#include "testbench/launch/object_reader.h"
#include "testbench/run/data_files.h"

namespace heddle::experiment {
namespace {

using launch::ObjectReader;

const ObjectForm kPublishedListForm("published", "figure", "a published figure",
                                    {{"id!", "text"},
                                     {"paper!", "text"},
                                     {"where", "text"},
                                     {"metric", "text"},
                                     {"value", "any"},
                                     {"unit", "text"},
                                     {"note", "text"}});

std::string text_of(const ConfigNode& value) {
  if (value.is_integer) return fmt::format("{}", value.integer);
  if (value.is_number()) return fmt::format("{}", value.number);
  std::string text;
  for (const ConfigNode& item : value.items) text += (text.empty() ? "" : " / ") + text_of(item);
  return text;
}

std::string kind_of(const std::string& unit) {
  const std::string first = unit.substr(0, unit.find(' '));
  return first == "points" ? "%" : first;
}

}  // namespace

bool in_one_unit(const std::string& a, const std::string& b) { return kind_of(a) == kind_of(b); }

std::string PublishedFigure::text(int item) const {
  return text_of(item < 0 ? value : value.items[static_cast<std::size_t>(item)]);
}

Published Published::read() {
  Published published;
  published.file_ = run::find_data("configs/published.json");
  if (published.file_.empty()) throw Error("configs/published.json", "this file is not there");
  const ConfigNode root = parse_config_file(published.file_);
  for (const ConfigNode& node : ObjectReader::array(root).items) {
    const ObjectReader in(node, kPublishedListForm);
    PublishedFigure figure;
    figure.id = in.text("id");
    figure.paper = in.text("paper");
    figure.where = in.text("where");
    figure.metric = in.text("metric");
    figure.unit = in.text("unit");
    figure.note = in.text("note", false);
    figure.value = in.get("value");
    if (!figure.value.is_number() && !figure.value.is_array())
      throw Error(figure.value.where(), "not a published value", "a number, or a list of numbers");
    if (!published.figures_.emplace(figure.id, figure).second)
      throw Error(node.where(), fmt::format("a second figure \"{}\"", figure.id));
  }
  return published;
}

const PublishedFigure& Published::get(const std::string& id, const std::string& where) const {
  const auto it = figures_.find(id);
  if (it == figures_.end())
    throw Error(where, fmt::format("\"{}\" is not published", id), "an id of configs/published.json");
  return it->second;
}

void Published::check_place(const PublishedPlace& place) const {
  const PublishedFigure& known = get(place.id, place.where);
  if (place.item >= 0 && (!known.value.is_array() || static_cast<std::size_t>(place.item) >= known.items()))
    throw Error(place.where, fmt::format("\"{}\" has no item {}", place.id, place.item),
                known.value.is_array() ? fmt::format("0 to {}", known.items() - 1) : "no item");
}

void Published::check(const ExperimentFile& file) const {
  std::map<std::string, std::set<int>> placed;
  for (const PublishedPlace& place : file.opening.published) check_place(place);
  for (const auto* figures : {&file.figures, &file.left_out})
    for (const Figure& figure : *figures)
      for (const auto* places : {&figure.published, &figure.left_out_places})
        for (const PublishedPlace& place : *places) {
          check_place(place);
          placed[place.id].insert(place.item);
        }
  for (const auto& [id, where] : file.elsewhere) {
    get(id, file.path + ": elsewhere");
    placed[id].insert(-1);
  }
  for (const std::string& pattern : file.covers)
    if (std::none_of(figures_.begin(), figures_.end(),
                     [&](const auto& entry) { return fits(pattern, entry.first); }))
      throw Error(file.path + ": covers", fmt::format("\"{}\" fits no published figure", pattern),
                  "an id of configs/published.json; * stays within a part of it, ** crosses dots");
  for (const auto& [id, figure] : figures_) {
    bool covered = false;
    for (const std::string& pattern : file.covers) covered |= fits(pattern, id);
    if (!covered) continue;
    const std::set<int>& items = placed[id];
    if (items.empty())
      throw Error(file.path + ": covers", fmt::format("the published figure \"{}\" has no place", id),
                  "\"published\" of a figure, or \"elsewhere\"");
    if (!items.count(-1) && items.size() != figure.items())
      throw Error(file.path + ": covers", fmt::format("only {} of the {} items of \"{}\" have a place",
                                                      items.size(), figure.items(), id));
  }
}

}  // namespace heddle::experiment
