#include "testbench/experiment/figure_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/core/error.h"
#include "testbench/experiment/figure_cells.h"
#include "testbench/experiment/stack_tables.h"

namespace heddle::experiment {
namespace {

const char* title(Dimension d) {
  return d == Dimension::kernel    ? "kernel"
         : d == Dimension::variant ? "variant"
         : d == Dimension::value   ? "value"
                                   : "metric";
}

class Evaluation {
 public:
  Evaluation(const Figure& figure, const ExperimentFile& file, const Results& results)
      : figure_(figure), file_(file), cells_(figure, file, results) {
    out_.figure = &figure;
    out_.kernels = cells_.kernels();
  }

  FigureData run() {
    if (figure_.kind == FigureKind::scatter) {
      fill_clouds();
    } else {
      cells_.fill();
      out_.left_out = cells_.left_out();
      write_long();
      if (is_stack_table(figure_.kind))
        out_.table = stack_table(cells_, file_);
      else
        fill_table();
      compare();
      check_orders();
    }
    explain();
    if (!lists_variants(figure_.kind)) out_.refusals = cells_.refusals();
    return std::move(out_);
  }

 private:
  int kernels() const { return static_cast<int>(cells_.kernels().size()); }
  int values() const { return cells_.size_of(Dimension::value); }
  const std::string& value_label(int value) const {
    return cells_.value_labels()[static_cast<std::size_t>(value)];
  }
  const Metric& metric(int at) const { return cells_.metrics()[static_cast<std::size_t>(at)]; }

  void write_long() {
    for (int v = 0; v < cells_.size_of(Dimension::variant); ++v)
      for (int s = 0; s < values(); ++s)
        for (int m = 0; m < cells_.size_of(Dimension::metric); ++m)
          for (int k = 0; k < cells_.size_of(Dimension::kernel); ++k)
            out_.values.push_back(
                {cells_.label(Dimension::kernel, k), cells_.label(Dimension::variant, v), value_label(s),
                 metric(m).name, cells_.at({k == kernels() ? Cell::kMean : k, v, s, m}),
                 cells_.is_refused({k == kernels() ? Cell::kMean : k, v, s, m}),
                 k == kernels() ? cells_.range_of_mean({Cell::kMean, v, s, m}) : std::nullopt});
  }

  // Returns all positions along an axis of a figure's table. An axis may combine dimensions (such as variant
  // and sweep value); the first varies slowest.
  std::vector<std::vector<int>> positions(const std::vector<Dimension>& axis) const {
    std::vector<std::vector<int>> all = {{}};
    for (const Dimension d : axis) {
      std::vector<std::vector<int>> longer;
      for (const auto& one : all)
        for (int i = 0; i < cells_.size_of(d); ++i) {
          longer.push_back(one);
          longer.back().push_back(i);
        }
      all = std::move(longer);
    }
    return all;
  }
  std::string label(const std::vector<Dimension>& axis, const std::vector<int>& at) const {
    std::string text;
    for (std::size_t i = 0; i < axis.size(); ++i)
      text += (text.empty() ? "" : ", ") + cells_.label(axis[i], at[i]);
    return text;
  }
  void set(Cell& at, const std::vector<Dimension>& axis, const std::vector<int>& position) const {
    for (std::size_t i = 0; i < axis.size(); ++i) at.of(axis[i]) = position[i];
    if (at.kernel == kernels()) at.kernel = Cell::kMean;
  }

  void fill_table() {
    for (const Dimension d : figure_.rows)
      out_.table.corner += (out_.table.corner.empty() ? "" : ", ") + std::string(title(d));
    if (cells_.sweep() && figure_.rows == std::vector{Dimension::value})
      out_.table.corner = cells_.sweep()->title;
    if (!figure_.x_title.empty()) out_.table.corner = figure_.x_title;
    const auto rows = positions(figure_.rows), columns = positions(figure_.columns);
    for (const auto& row : rows) {
      out_.table.rows.push_back(label(figure_.rows, row));
      std::vector<double> numbers;
      for (const auto& column : columns) {
        Cell at;
        set(at, figure_.rows, row);
        set(at, figure_.columns, column);
        const bool kernel_on_axis =
            std::count(figure_.rows.begin(), figure_.rows.end(), Dimension::kernel) +
            std::count(figure_.columns.begin(), figure_.columns.end(), Dimension::kernel);
        if (!kernel_on_axis && kernels() == 1) at.kernel = 0;
        if (cells_.is_refused(at)) out_.table.refused.insert({out_.table.cells.size(), numbers.size()});
        if (const auto range = cells_.range_of_mean(at))
          out_.table.ranges[{out_.table.cells.size(), numbers.size()}] = *range;
        numbers.push_back(cells_.at(at));
      }
      out_.table.cells.push_back(std::move(numbers));
    }
    for (const auto& column : columns)
      out_.table.columns.push_back(figure_.columns.empty() ? metric(0).label
                                                           : label(figure_.columns, column));
  }

  void compare() {
    for (const PublishedPlace& place : figure_.published) {
      Cell at;
      at.variant = std::max(0, cells_.variant(place.variant));
      at.value = std::max(0, cells_.value(place.value));
      at.metric = std::max(0, cells_.metric(place.metric));
      at.kernel = place.kernel.empty() ? Cell::kMean : cells_.kernel(place.kernel);
      const bool run = place.kernel.empty() || at.kernel != Cell::kMean;
      if (place.kernel.empty() && kernels() == 1) at.kernel = 0;
      Comparison comparison;
      comparison.id = place.id;
      comparison.item = place.item;
      comparison.measured = run ? cells_.at(at) : kUndefined;
      comparison.range = run ? cells_.range_of_mean(at) : std::nullopt;
      if (place.best != PublishedPlace::Best::none) comparison.measured_text = best_value(at, place.best);
      for (const std::string& part :
           {place.kernel, place.variant, place.value.empty() ? "" : out_.table.corner + " " + place.value,
            place.metric.empty() ? "" : metric(at.metric).label})
        if (!part.empty()) comparison.what += (comparison.what.empty() ? "" : ", ") + part;
      find_in_table(at, comparison);
      out_.comparisons.push_back(std::move(comparison));
    }
  }
  std::string best_value(Cell at, PublishedPlace::Best best) {
    int found = -1;
    double extreme = 0;
    for (at.value = 0; at.value < values(); ++at.value) {
      const double here = cells_.at(at);
      const bool better = best == PublishedPlace::Best::lowest ? here < extreme : here > extreme;
      if (std::isnan(here) || (found >= 0 && !better)) continue;
      found = at.value;
      extreme = here;
    }
    return found < 0 ? "-" : value_label(found);
  }
  void find_in_table(const Cell& wanted, Comparison& comparison) const {
    const auto rows = positions(figure_.rows), columns = positions(figure_.columns);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t c = 0; c < columns.size(); ++c) {
        Cell at;
        at.kernel = wanted.kernel;
        set(at, figure_.rows, rows[r]);
        set(at, figure_.columns, columns[c]);
        if (at.kernel != wanted.kernel || at.variant != wanted.variant || at.value != wanted.value ||
            at.metric != wanted.metric)
          continue;
        comparison.row = static_cast<int>(r);
        comparison.column = static_cast<int>(c);
      }
  }

  void check_orders() {
    for (const Order& order : figure_.orders) {
      if (!order.values.empty()) {
        check_order_of_values(order);
        continue;
      }
      for (int value = 0; value < values(); ++value) {
        std::string text = fmt::format("{}", fmt::join(order.variants, " < "));
        if (figure_.metrics.size() > 1)
          text += fmt::format(" in {}", metric(cells_.metric(order.metric)).label);
        if (cells_.sweep()) text += fmt::format(" at {} {}", out_.table.corner, value_label(value));
        std::vector<std::pair<std::string, double>> steps;
        for (const std::string& variant : order.variants)
          steps.emplace_back(variant, mean_at(variant, value, order.metric));
        out_.orders.push_back(text + ": " + verdict(steps));
      }
    }
  }
  void check_order_of_values(const Order& order) {
    std::vector<std::pair<std::string, double>> steps;
    for (const std::string& label : order.values)
      steps.emplace_back(label, mean_at(order.variants[0], cells_.value(label), order.metric));
    out_.orders.push_back(fmt::format("{} ({} of {}): {}", fmt::join(order.values, " < "), out_.table.corner,
                                      order.variants[0], verdict(steps)));
  }
  double mean_at(const std::string& variant, int value, const std::string& metric_name) {
    Cell at;
    at.variant = cells_.variant(variant);
    at.value = value;
    at.metric = cells_.metric(metric_name);
    if (kernels() == 1) at.kernel = 0;
    return cells_.at(at);
  }
  // Compares the measured values with the published ranking, and returns a text that names the values which
  // are not in the published order.
  std::string verdict(const std::vector<std::pair<std::string, double>>& steps) const {
    std::string differences;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto& [name, now] = steps[i];
      if (std::isnan(now)) return "not measured";
      if (i == 0 || steps[i - 1].second < now) continue;
      differences +=
          fmt::format("{}{} ({:.{}f}) is not above {} ({:.{}f})", differences.empty() ? "" : "; ", name, now,
                      figure_.digits, steps[i - 1].first, steps[i - 1].second, figure_.digits);
    }
    return differences.empty() ? "as published" : "differs: " + differences;
  }

  void fill_clouds() {
    out_.table.corner = !cells_.sweep() ? "kernels" : "kernel";
    out_.table.columns = {"r"};
    if (!cells_.sweep())
      out_.clouds.push_back({fmt::format("{} kernels", out_.kernels.size()), {}, {}, {}, 0});
    for (std::size_t k = 0; k < out_.kernels.size(); ++k) {
      if (cells_.sweep()) out_.clouds.push_back({out_.kernels[k], {}, {}, {}, 0});
      add_points(k, out_.clouds.back());
    }
    for (Cloud& cloud : out_.clouds) {
      cloud.correlation = correlation(cloud.x, cloud.y);
      out_.table.rows.push_back(cloud.kernel);
      out_.table.cells.push_back({cloud.correlation});
    }
  }
  void add_points(std::size_t k, Cloud& cloud) {
    for (int value = 0; value < values(); ++value) {
      const double x = cells_.number(metric(0).expression, static_cast<int>(k), 0, value);
      const double y = cells_.number(metric(1).expression, static_cast<int>(k), 0, value);
      if (std::isnan(x) || std::isnan(y)) continue;
      cloud.x.push_back(x);
      cloud.y.push_back(y);
      cloud.labels.push_back(!cells_.sweep() ? out_.kernels[k] : value_label(value));
      for (const auto& [metric, at] : {std::pair{metric(0).name, x}, std::pair{metric(1).name, y}})
        out_.values.push_back({out_.kernels[k], figure_.variants[0], value_label(value), metric, at});
    }
  }

  // Fills the table of further metrics below the figure ("explained_by"), one row per variant.
  void explain() {
    if (figure_.explained_by.empty()) return;
    out_.explained.corner = !cells_.sweep() ? "variant" : "variant, value";
    for (const Metric& one : figure_.explained_by) out_.explained.columns.push_back(one.label);
    for (int v = 0; v < cells_.size_of(Dimension::variant); ++v)
      for (int s = 0; s < values(); ++s) {
        std::vector<double> row;
        for (const Metric& one : figure_.explained_by) {
          std::vector<double> values;
          for (int kernel = 0; kernel < kernels(); ++kernel)
            if (const double x = cells_.number(one.expression, kernel, v, s); !std::isnan(x))
              values.push_back(x);
          if (cells_.is_refused({Cell::kMean, v, s, 0}))
            out_.explained.refused.insert({out_.explained.cells.size(), row.size()});
          row.push_back(mean_of(values, Mean::arithmetic));
        }
        const std::string& variant = figure_.variants[static_cast<std::size_t>(v)];
        out_.explained.rows.push_back(!cells_.sweep() ? variant
                                                      : fmt::format("{}, {}", variant, value_label(s)));
        out_.explained.cells.push_back(std::move(row));
      }
  }

  const Figure& figure_;
  const ExperimentFile& file_;
  FigureCells cells_;
  FigureData out_;
};

}  // namespace

FigureData evaluate(const Figure& figure, const ExperimentFile& file, const Results& results) {
  try {
    return Evaluation(figure, file, results).run();
  } catch (const Error& e) {
    FigureData failed;
    failed.figure = &figure;
    failed.error = e.what();
    return failed;
  }
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  if (x.size() < 2) return kUndefined;
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  // A standard deviation that could be a rounding error counts as 0, so no correlation is computed.
  const double small = 1e-24;
  if (xx <= small * n * mean_x * mean_x || yy <= small * n * mean_y * mean_y || xx == 0 || yy == 0)
    return kUndefined;
  return xy / std::sqrt(xx * yy);
}

}  // namespace heddle::experiment
