#include "testbench/experiment/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <string_view>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/wildcard.h"
#include "testbench/launch/object_reader.h"
#include "testbench/run/data_files.h"

namespace heddle::experiment {
namespace {

using launch::ObjectReader;

constexpr std::array<std::string_view, 4> kWholes{"gpu", "sm", "register file", "units"};

const TypeForm kWholeForm("published", "share", whole_type(), "the whole of which a figure is a share");
const ObjectForm kPublishedListForm("published", "figure", "a published figure",
                                    {{"id!", "text"},
                                     {"paper!", "text"},
                                     {"where", "text"},
                                     {"metric", "text"},
                                     {"value", "any"},
                                     {"unit", "text"},
                                     {"of", "share|(share|null)[]",
                                      "required for percentages of energy, power and area; a list has one "
                                      "entry for each item of the value"},
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

// Returns true if a published figure is a share of energy, power or area. For such a share, the file must
// state the whole.
bool needs_share(const PublishedFigure& figure) {
  static const std::regex amount("energy|power|leakage|\\barea\\b", std::regex::icase);
  return kind_of(figure.unit) == "%" && std::regex_search(figure.metric, amount);
}

std::vector<std::string> read_shares(const ConfigNode* of, const PublishedFigure& figure,
                                     const ConfigNode& node) {
  std::vector<std::string> shares;
  if (of && of->is_array())
    for (const ConfigNode& item : of->items) shares.push_back(read_whole(item));
  else if (of)
    shares = {read_whole(*of)};
  if (shares.empty() && needs_share(figure))
    throw Error(node.where(), fmt::format("\"{}\" does not name the whole of which it is a share", figure.id),
                fmt::format("\"of\": {}", fmt::join(kWholes, ", ")));
  if (of && of->is_array() && shares.size() != figure.items())
    throw Error(of->where(), fmt::format("{} entries", shares.size()),
                fmt::format("one for each item of the value: {}", figure.items()));
  return shares;
}

}  // namespace

std::string whole_type() { return fmt::format("'{}'", fmt::join(kWholes, "'|'")); }

std::string read_whole(const ConfigNode& node) {
  if (node.kind == ConfigNode::Kind::null) return {};
  std::string whole = ObjectReader::text_of(node);
  if (std::find(kWholes.begin(), kWholes.end(), whole) == kWholes.end())
    throw Error(node.where(), fmt::format("\"{}\" is no whole", whole),
                fmt::format("{}", fmt::join(kWholes, ", ")));
  return whole;
}

bool in_one_unit(const std::string& a, const std::string& b) { return kind_of(a) == kind_of(b); }

std::string PublishedFigure::text(int item) const {
  return text_of(item < 0 ? value : value.items[static_cast<std::size_t>(item)]);
}

std::string PublishedFigure::share_of(int item) const {
  if (of.size() == 1) return of[0];
  return item < 0 || of.empty() ? std::string() : of[static_cast<std::size_t>(item)];
}

std::string PublishedFigure::with_unit(int item) const {
  const std::string share = share_of(item);
  const std::string whole = share == "gpu" ? "the GPU" : share == "sm" ? "the SM" : "the " + share;
  return fmt::format("{} {}{}", text(item), unit, share.empty() ? "" : fmt::format(" (of {})", whole));
}

Published Published::read() {
  const std::string file = run::find_data("configs/published.json");
  if (file.empty()) throw Error("configs/published.json", "this file is not there");
  return Published(parse_config_file(file));
}

Published Published::read_text(const std::string& text) {
  return Published(parse_config_text(text, "published"));
}

Published::Published(const ConfigNode& root) {
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
    figure.of = read_shares(in.find("of"), figure, node);
    if (!figures_.emplace(figure.id, figure).second)
      throw Error(node.where(), fmt::format("a second figure \"{}\"", figure.id));
  }
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

// Checks that a measured share and the published share next to it are shares of the same whole. The metric's
// key "share_of" names the whole of the measured share. Without this key, MetricExpression::share_of()
// derives the whole from the metric's expression.
void Published::check_shares(const ExperimentFile& file) const {
  const auto check = [this](const std::string& id, int item, const Metric* metric, const std::string& where) {
    const std::string published = get(id, where).share_of(item);
    if (published.empty() || !metric) return;
    const std::string measured = metric->share_of.empty() ? metric->expression.share_of() : metric->share_of;
    if (measured != published)
      throw Error(where,
                  fmt::format("\"{}\" is a share of {}, the measured metric is a share of {}", id, published,
                              measured.empty() ? "an unknown whole" : measured),
                  R"("share_of" of a metric states the whole that its expression does not show)");
  };
  for (const Figure& figure : file.figures)
    for (const PublishedPlace& place : figure.published)
      if (place.best == PublishedPlace::Best::none)
        check(place.id, place.item, figure.find_metric(place.metric), place.where);
  for (const Headline& line : file.opening.headlines)
    for (const FigurePlace& place : line.measured)
      if (const Figure* figure = line.published.empty() ? nullptr : file.find_figure(place.figure))
        check(line.published, line.item, figure->find_metric(place.metric), place.where);
}

void Published::check(const ExperimentFile& file) const {
  check_shares(file);
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
