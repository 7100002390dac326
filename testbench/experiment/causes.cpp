#include "testbench/experiment/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "testbench/experiment/opening.h"
#include "testbench/experiment/reading.h"

namespace heddle::experiment {
namespace {

const ObjectForm kChangeForm("experiment", "tried_change", "a change",
                             {{"change!", "text", "name of the change"},
                              {"values!", "names", "the same values with this change alone"}});
const ObjectForm kCauseForm(
    "experiment", "cause", "a cause",
    {{"id!", "text"},
     {"size!", "names", "sizes whose kernels are the paper's own list"},
     {"kernels", "names", "the paper's own list, if the size has further kernels"},
     {"conclusion!", "lines", "the published order or level"},
     {"values!", "names",
      "figure|variant|value|metric of an order's values, the lowest published one first, or of a level"},
     {"published", "text", "id of a level in configs/published.json"},
     {"item", "integer>=0"},
     {"tried", "tried_change[]"},
     {"decided_by!", "text", "the change that alone restores the order or level, or \"open\""}});

constexpr const char* kOpen = "open";

// Throws Error if a figure shows only some of the paper's kernels, because the choice of kernels could then
// be the real cause of a difference.
void check_kernels(const FigurePlace& place, const Cause& cause, const ExperimentFile& file) {
  const Figure* figure = file.find_figure(place.figure);
  if (!figure || !cause.is_of(file.size) || file.is_selection()) return;
  std::set<std::string> list(cause.kernels.begin(), cause.kernels.end());
  if (list.empty())
    for (const Kernel& kernel : file.kernels) list.insert(kernel.name);
  if (std::set<std::string>(figure->kernels.begin(), figure->kernels.end()) == list) return;
  throw Error(place.where,
              fmt::format("figure {} has {} kernels, the paper's list at size {} has {}", place.figure,
                          figure->kernels.size(), file.size, list.size()),
              "a figure of the whole list: a subset of kernels is no cause");
}

std::vector<FigurePlace> read_places(const ConfigNode& node, const Cause& cause, const ExperimentFile& file) {
  std::vector<FigurePlace> places;
  for (const std::string& text : ObjectReader::texts_of(node)) {
    places.push_back(read_figure_place(text, file, node.where()));
    check_kernels(places.back(), cause, file);
  }
  return places;
}

Cause read_cause(const ConfigNode& node, const ExperimentFile& file) {
  const ObjectReader in(node, kCauseForm);
  Cause cause;
  cause.where = node.where();
  cause.id = in.text("id");
  cause.conclusion = read_text(in, "conclusion");
  cause.sizes = ObjectReader::texts_of(in.get("size"));
  for (const std::string& size : cause.sizes)
    if (std::find(file.sizes.begin(), file.sizes.end(), size) == file.sizes.end())
      throw Error(in.get("size").where(), fmt::format("no size \"{}\"", size),
                  fmt::format("{}", fmt::join(file.sizes, ", ")));
  if (const ConfigNode* kernels = in.find("kernels")) cause.kernels = ObjectReader::texts_of(*kernels);
  cause.places = read_places(in.get("values"), cause, file);
  cause.published = in.text("published", false);
  if (const ConfigNode* item = in.find("item")) cause.item = static_cast<int>(item->integer);
  if (cause.published.empty() == (cause.places.size() == 1))
    throw Error(in.get("values").where(), "neither an order nor a level",
                "two or more values, or one value and its \"published\" id");
  std::vector<std::string> names{kOpen};
  if (const ConfigNode* tried = in.find("tried"))
    for (const ConfigNode& item : ObjectReader::array(*tried).items) {
      const ObjectReader change(item, kChangeForm);
      cause.changes.push_back({change.text("change"), read_places(change.get("values"), cause, file)});
      names.push_back(cause.changes.back().name);
      if (cause.changes.back().places.size() != cause.places.size())
        throw Error(change.get("values").where(),
                    fmt::format("{} values", cause.changes.back().places.size()),
                    fmt::format("as many as without a change: {}", cause.places.size()));
    }
  const std::string by = in.text("decided_by");
  if (std::find(names.begin(), names.end(), by) == names.end())
    throw Error(in.get("decided_by").where(), fmt::format("no change \"{}\"", by),
                fmt::format("{}", fmt::join(names, ", ")));
  if (by != kOpen) cause.decided_by = by;
  return cause;
}

std::string name_of(const FigurePlace& place) {
  std::string name;
  for (const std::string* part : {&place.variant, &place.value, &place.metric})
    if (!part->empty()) name += (name.empty() ? "" : ", ") + *part;
  return name.empty() ? place.figure : name;
}

class Judge {
 public:
  Judge(const Cause& cause, const std::vector<FigureData>& figures, const Published& published)
      : figures_(figures) {
    judged_.cause = &cause;
    if (!cause.published.empty()) {
      const PublishedFigure& figure = published.get(cause.published, cause.where);
      judged_.published = figure.with_unit(cause.item);
      unit_ = figure.unit;
      level_ =
          (cause.item < 0 ? figure.value : figure.value.items[static_cast<std::size_t>(cause.item)]).number;
    }
    for (const FigurePlace& place : cause.places) judged_.columns.push_back(name_of(place));
  }

  JudgedCause run() {
    const Cause& cause = *judged_.cause;
    judged_.rows.push_back(row("none", cause.places));
    for (const Cause::Change& change : cause.changes) judged_.rows.push_back(row(change.name, change.places));
    if (judged_.rows.front().as_published) fail("the runs show it as published without a change");
    for (std::size_t i = 1; i < judged_.rows.size(); ++i) {
      const JudgedCause::Row& tried = judged_.rows[i];
      if (cause.decided_by.empty() && tried.as_published)
        fail(fmt::format("\"{}\" restores it, so it is not open", tried.change));
      if (tried.change == cause.decided_by && !tried.as_published)
        fail(fmt::format("\"{}\" does not restore it", tried.change));
    }
    return std::move(judged_);
  }

 private:
  void fail(const std::string& reason) { judged_.failure += (judged_.failure.empty() ? "" : "; ") + reason; }

  // Judges the rounded numbers that the report prints, not the exact ones, so that readers can check the
  // verdict on a cause.
  JudgedCause::Row row(const std::string& change, const std::vector<FigurePlace>& places) {
    JudgedCause::Row row{change, {}, "", true};
    std::vector<double> numbers;
    for (const FigurePlace& place : places) {
      const MeasuredValue value = measured_at(place, figures_);
      row.numbers.push_back(value.text());
      numbers.push_back(std::isnan(value.number) ? value.number : std::stod(value.text()));
    }
    if (std::any_of(numbers.begin(), numbers.end(), [](double n) { return std::isnan(n); })) {
      fail(fmt::format("{}: not measured", change));
      row.as_published = false;
      row.result = "not measured";
    } else if (numbers.size() == 1) {
      row.as_published = is_near(numbers[0], level_, unit_);
      row.result = row.as_published ? "as published" : fmt::format("{:+.3g}", numbers[0] - level_);
    } else {
      for (std::size_t i = 1; i < numbers.size(); ++i) row.as_published &= numbers[i - 1] < numbers[i];
      row.result = row.as_published ? "as published" : "not the published order";
    }
    return row;
  }

  const std::vector<FigureData>& figures_;
  double level_ = 0;
  std::string unit_;
  JudgedCause judged_;
};

}  // namespace

bool is_near(double measured, double published, const std::string& unit) {
  const double least = in_one_unit(unit, "%") ? 1 : 0;
  return std::abs(measured - published) <= std::max(0.1 * std::abs(published), least);
}

std::string JudgedCause::verdict() const {
  if (!failure.empty()) return "not borne out by the runs: " + failure;
  return cause->decided_by.empty() ? "open" : fmt::format("decided by \"{}\"", cause->decided_by);
}

std::vector<Cause> read_causes(const ConfigNode& node, const ExperimentFile& file) {
  std::vector<Cause> causes;
  for (const ConfigNode& item : ObjectReader::array(node).items) {
    causes.push_back(read_cause(item, file));
    for (const Cause& other : causes)
      if (&other != &causes.back() && other.id == causes.back().id)
        throw Error(item.where(), fmt::format("a second cause \"{}\"", other.id));
  }
  return causes;
}

std::vector<JudgedCause> judge_causes(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                      const Published& published) {
  std::vector<JudgedCause> judged;
  if (file.is_selection()) return judged;
  for (const Cause& cause : file.causes) {
    const auto all_computed = [&](const std::vector<FigurePlace>& places) {
      return std::all_of(places.begin(), places.end(), [&](const FigurePlace& place) {
        return measured_at(place, figures).data != nullptr;
      });
    };
    bool computed = cause.is_of(file.size) && all_computed(cause.places);
    for (const Cause::Change& change : cause.changes) computed = computed && all_computed(change.places);
    if (computed) judged.push_back(Judge(cause, figures, published).run());
  }
  return judged;
}

std::string causes_text(const std::vector<JudgedCause>& causes) {
  if (causes.empty()) return {};
  std::string out =
      "<a id=\"causes\"></a>\n\n## Causes\n\n"
      "A cause is one change that alone restores a published order or level on all kernels of this size. "
      "Orders "
      "show the value that is lowest in the paper first. A level is restored if it differs by at most a "
      "tenth of "
      "the published number, a percentage also by at most a point. *Open*: no tried change restores it.\n\n";
  for (const JudgedCause& judged : causes) {
    out += fmt::format("<a id=\"cause-{}\"></a>\n\n### {}\n\nVerdict: {}.\n\n| change |", judged.cause->id,
                       judged.cause->conclusion, judged.verdict());
    for (const std::string& column : judged.columns) out += fmt::format(" {} |", column);
    out +=
        fmt::format(" {} |\n| --- |", judged.published.empty() ? "order" : "published: " + judged.published);
    for (std::size_t c = 0; c < judged.columns.size(); ++c) out += " ---: |";
    out += " --- |\n";
    for (const JudgedCause::Row& row : judged.rows)
      out += fmt::format("| {} | {} | {} |\n", row.change, fmt::join(row.numbers, " | "), row.result);
    out += "\n";
  }
  return out;
}

}  // namespace heddle::experiment
