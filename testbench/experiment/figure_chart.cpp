#include "testbench/experiment/figure_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "testbench/experiment/stack_charts.h"
#include "testbench/experiment/stack_tables.h"

namespace heddle::experiment {
namespace {

std::optional<double> number_in(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != 0 ? std::nullopt : std::optional(value);
}

bool has_values(const Table& table) {
  return std::any_of(table.cells.begin(), table.cells.end(), [](const std::vector<double>& row) {
    return std::any_of(row.begin(), row.end(), [](double value) { return !std::isnan(value); });
  });
}

output::Chart clouds(const FigureData& data) {
  const Figure& figure = *data.figure;
  std::vector<output::ChartSeries> series;
  for (const Cloud& cloud : data.clouds) {
    output::ChartSeries one{cloud.kernel.empty() ? "kernels" : cloud.kernel, {}, {}};
    if (figure.sweep.empty()) one.labels = cloud.labels;
    for (std::size_t i = 0; i < cloud.x.size(); ++i) one.points.emplace_back(cloud.x[i], cloud.y[i]);
    if (!one.points.empty()) series.push_back(std::move(one));
  }
  return output::point_chart({figure.metrics.empty() ? "" : figure.metrics[0].label,
                              figure.metrics.size() < 2 ? "" : figure.metrics[1].label, false},
                             series);
}

// Adds published numbers to a chart, next to the measured number with the same row and column.
output::ChartMarks published_marks(const FigureData& data, const Published& published) {
  output::ChartMarks marks{"published", {}};
  for (const Comparison& c : data.comparisons) {
    if (c.row < 0 || c.column < 0 || !c.measured_text.empty()) continue;
    const PublishedFigure& figure = published.get(c.id, "");
    const ConfigNode& value =
        c.item < 0 ? figure.value : figure.value.items[static_cast<std::size_t>(c.item)];
    if (value.is_number() && in_one_unit(data.figure->unit, figure.unit))
      marks.marks.push_back({static_cast<double>(c.row), static_cast<std::size_t>(c.column), value.number});
  }
  return marks;
}

output::Chart lines(const FigureData& data, const std::vector<double>& at, output::ChartMarks marks) {
  for (output::ChartMarks::Mark& mark : marks.marks) mark.at = at[static_cast<std::size_t>(mark.at)];
  std::vector<output::ChartSeries> series;
  for (std::size_t s = 0; s < data.table.columns.size(); ++s) {
    series.push_back({data.table.columns[s], {}, {}});
    for (std::size_t r = 0; r < at.size(); ++r)
      series.back().points.emplace_back(at[r], data.table.cells[r][s]);
    std::sort(series.back().points.begin(), series.back().points.end());
  }
  return output::line_chart({data.table.corner, data.figure->unit, false}, series, marks);
}

output::Chart bars(const FigureData& data, output::ChartMarks marks) {
  output::BarChart bars;
  bars.categories = data.table.rows;
  bars.series = data.table.columns;
  bars.y = data.figure->unit;
  bars.stacked = data.figure->kind == FigureKind::stacked;
  bars.as_points = data.figure->kind == FigureKind::lines;
  bars.values.resize(bars.series.size());
  for (std::size_t s = 0; s < bars.series.size(); ++s)
    for (const std::vector<double>& row : data.table.cells)
      bars.values[s].push_back(std::isnan(row[s]) ? std::nullopt : std::optional(row[s]));
  if (!bars.stacked) bars.marks = std::move(marks);
  return output::bar_chart(bars);
}

}  // namespace

std::optional<output::Chart> figure_chart(const FigureData& data, const Published& published) {
  const Figure& figure = *data.figure;
  if (has_table_alone(figure.kind) || !data.error.empty()) return std::nullopt;
  if (figure.kind == FigureKind::scatter) {
    const bool any = std::any_of(data.clouds.begin(), data.clouds.end(),
                                 [](const Cloud& cloud) { return !cloud.x.empty(); });
    return any ? std::optional(clouds(data)) : std::nullopt;
  }
  if (!has_values(data.table)) return std::nullopt;
  if (is_stack_table(figure.kind)) return stack_chart(data);
  std::vector<double> at;
  for (const std::string& row : data.table.rows)
    if (const std::optional<double> x = number_in(row)) at.push_back(*x);
  const bool numeric = figure.kind == FigureKind::lines && at.size() == data.table.rows.size();
  output::ChartMarks marks = published_marks(data, published);
  return numeric && at.size() > 1 ? lines(data, at, std::move(marks)) : bars(data, std::move(marks));
}

}  // namespace heddle::experiment
