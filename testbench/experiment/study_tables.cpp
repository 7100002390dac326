#include "testbench/experiment/study_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "models/core/error.h"
#include "testbench/experiment/clusters.h"

namespace heddle::experiment {
namespace {

using PartSet = std::set<std::string>;

class StudyTable {
 public:
  StudyTable(const FigureCells& cells, const ExperimentFile& file)
      : cells_(cells), file_(file), figure_(cells.figure()) {}

  Table waterfall() {
    const PartSet whole = parts_of(cells_.variant(figure_.of));
    table_.corner = "step";
    table_.columns = {"step", "without it"};
    for (const Metric& metric : cells_.metrics()) table_.columns.push_back(metric.label);
    double before = 1;
    PartSet have;
    while (have.size() < whole.size()) {
      const int next = next_step(have, whole);
      if (next < 0) throw Error("", fmt::format("{} has no value", figure_.of));
      PartSet added;
      for (const std::string& part : parts_of(next))
        if (!have.contains(part)) added.insert(part);
      have = parts_of(next);
      table_.rows.push_back(fmt::format("+ {}", fmt::join(added, " + ")));
      table_.cells.push_back({at(next) - before, without(whole, added) - at(cells_.variant(figure_.of))});
      add_metrics(next);
      before = at(next);
    }
    table_.rows.emplace_back("product of each alone");
    table_.cells.push_back({kUndefined, kUndefined});
    for (int m = 0; m < metrics(); ++m) table_.cells.back().push_back(product(whole, m));
    return std::move(table_);
  }

  Table tornado() {
    const int of = cells_.variant(figure_.of);
    struct Row {
      int value;
      double moved;
    };
    std::vector<Row> rows;
    for (int value = 1; value < cells_.size_of(Dimension::value); ++value)
      rows.push_back({value, at(of, 0, value) - at(of, 0, 0)});
    // Sweep values at which the variant has no result are sorted to the end.
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      if (std::isnan(a.moved) || std::isnan(b.moved)) return !std::isnan(a.moved);
      return std::abs(a.moved) > std::abs(b.moved);
    });
    table_.corner = cells_.sweep()->title;
    table_.columns = {figure_.of, "moved by", "its place", "lowest there", "its value"};
    rows.insert(rows.begin(), {0, 0});
    for (const Row& row : rows) {
      const std::vector<int> order = by_metric(Cell::kMean, row.value);
      const auto place = std::find(order.begin(), order.end(), of) - order.begin() + 1;
      table_.rows.push_back(cells_.value_labels()[static_cast<std::size_t>(row.value)]);
      table_.cells.push_back({at(of, 0, row.value), row.moved, static_cast<double>(place), kUndefined,
                              order.empty() ? kUndefined : at(order[0], 0, row.value)});
      if (!order.empty()) name_cell(3, order[0]);
    }
    return std::move(table_);
  }

  Table winners() {
    const int places = figure_.first > 0 ? figure_.first : 2;
    table_.corner = "kernel";
    for (int place = 1; place <= places; ++place) {
      table_.columns.push_back(place == 1 ? "lowest" : fmt::format("place {}", place));
      table_.columns.emplace_back("its value");
    }
    for (int k = 0; k < cells_.size_of(Dimension::kernel); ++k) {
      const bool is_mean = k == static_cast<int>(cells_.kernels().size());
      const int kernel = is_mean ? Cell::kMean : k;
      const std::vector<int> order = by_metric(kernel, 0);
      table_.rows.push_back(cells_.label(Dimension::kernel, k));
      table_.cells.emplace_back(static_cast<std::size_t>(places) * 2, kUndefined);
      for (std::size_t place = 0; place < static_cast<std::size_t>(places) && place < order.size(); ++place) {
        name_cell(2 * place, order[place]);
        table_.cells.back()[2 * place + 1] = cells_.at({kernel, order[place], 0, 0});
      }
    }
    return std::move(table_);
  }

  Table clusters() {
    std::vector<std::vector<double>> features;
    std::vector<int> kernels;
    for (int k = 0; k < static_cast<int>(cells_.kernels().size()); ++k) {
      std::vector<double> row;
      for (int m = 0; m < metrics(); ++m) row.push_back(cells_.at({k, 0, 0, m}));
      if (std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); })) continue;
      features.push_back(std::move(row));
      kernels.push_back(k);
    }
    if (features.empty()) throw Error("", "no kernel has all of the metrics");
    const auto name = [&](std::size_t item) {
      return cells_.kernels()[static_cast<std::size_t>(kernels[item])];
    };
    const Clusters groups = choose_medoids(standardised(features), static_cast<std::size_t>(figure_.first));
    table_.corner = "kernel";
    table_.columns = {"stands for", "farthest", "kernels"};
    for (const Metric& metric : cells_.metrics()) table_.columns.push_back(metric.label);
    for (std::size_t g = 0; g < groups.medoids.size(); ++g) {
      std::vector<std::string> members;
      double farthest = 0;
      for (std::size_t item = 0; item < features.size(); ++item) {
        if (groups.nearest[item] != g) continue;
        members.push_back(name(item));
        farthest = std::max(farthest, groups.distances[item]);
      }
      table_.rows.push_back(name(groups.medoids[g]));
      table_.cells.push_back({static_cast<double>(members.size()), farthest, kUndefined});
      table_.names[{table_.cells.size() - 1, 2}] = fmt::format("{}", fmt::join(members, ", "));
      const std::vector<double>& own = features[groups.medoids[g]];
      table_.cells.back().insert(table_.cells.back().end(), own.begin(), own.end());
    }
    return std::move(table_);
  }

 private:
  int variants() const { return static_cast<int>(figure_.variants.size()); }
  int metrics() const { return static_cast<int>(cells_.metrics().size()); }
  const std::string& name_of(int variant) const {
    return figure_.variants[static_cast<std::size_t>(variant)];
  }
  double at(int variant, int metric = 0, int value = 0) const {
    return cells_.at({cells_.kernels().size() == 1 ? 0 : Cell::kMean, variant, value, metric});
  }
  PartSet parts_of(int variant) const {
    const std::vector<std::string>& parts = file_.find_variant(name_of(variant))->combines;
    return parts.empty() ? PartSet{name_of(variant)} : PartSet(parts.begin(), parts.end());
  }
  int variant_of(const PartSet& parts) const {
    for (int v = 0; v < variants(); ++v)
      if (parts_of(v) == parts) return v;
    return -1;
  }

  // Returns a variant of the figure that adds techniques to `have`: the variant has all parts of `have`, at
  // least one more, and only parts of `whole`. Chooses the variant with the fewest parts and, among these,
  // the one with the lowest first metric; -1 if there is none.
  int next_step(const PartSet& have, const PartSet& whole) const {
    int best = -1;
    for (int v = 0; v < variants(); ++v) {
      const PartSet parts = parts_of(v);
      if (parts.size() <= have.size() || std::isnan(at(v)) ||
          !std::includes(parts.begin(), parts.end(), have.begin(), have.end()) ||
          !std::includes(whole.begin(), whole.end(), parts.begin(), parts.end()))
        continue;
      if (best < 0 || std::pair(parts.size(), at(v)) < std::pair(parts_of(best).size(), at(best))) best = v;
    }
    return best;
  }
  double without(const PartSet& whole, const PartSet& these) const {
    PartSet rest;
    std::set_difference(whole.begin(), whole.end(), these.begin(), these.end(),
                        std::inserter(rest, rest.end()));
    const int variant = rest.empty() ? -1 : variant_of(rest);
    return variant < 0 ? kUndefined : at(variant);
  }
  double product(const PartSet& whole, int metric) const {
    double all = 1;
    for (const std::string& part : whole) {
      const int variant = variant_of({part});
      all *= variant < 0 ? kUndefined : at(variant, metric);
    }
    return all;
  }
  void add_metrics(int variant) {
    for (int m = 0; m < metrics(); ++m) table_.cells.back().push_back(at(variant, m));
  }
  std::vector<int> by_metric(int kernel, int value) const {
    if (kernel == Cell::kMean && cells_.kernels().size() == 1) kernel = 0;
    const auto number = [&](int v) { return cells_.at({kernel, v, value, 0}); };
    std::vector<int> order;
    for (int v = 0; v < variants(); ++v)
      if (!std::isnan(number(v))) order.push_back(v);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return number(a) < number(b); });
    return order;
  }
  void name_cell(std::size_t column, int variant) {
    table_.names[{table_.cells.size() - 1, column}] = name_of(variant);
  }

  const FigureCells& cells_;
  const ExperimentFile& file_;
  const Figure& figure_;
  Table table_;
};

}  // namespace

bool is_study_table(FigureKind kind) {
  return kind == FigureKind::waterfall || kind == FigureKind::tornado || kind == FigureKind::winners ||
         kind == FigureKind::clusters;
}

Table study_table(const FigureCells& cells, const ExperimentFile& file) {
  StudyTable table(cells, file);
  switch (cells.figure().kind) {
    case FigureKind::waterfall:
      return table.waterfall();
    case FigureKind::tornado:
      return table.tornado();
    case FigureKind::winners:
      return table.winners();
    default:
      return table.clusters();
  }
}

}  // namespace heddle::experiment
