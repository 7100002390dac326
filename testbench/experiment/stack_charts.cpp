#include "testbench/experiment/stack_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbench/experiment/stack_tables.h"

namespace heddle::experiment {
namespace {

using output::SpanChart;

// largest number of rows of a ranks table that a chart shows
constexpr std::size_t kMostRows = 40;

output::Chart map_of(const Table& table, double middle, double least, int digits, const std::string& title) {
  output::HeatChart map;
  const std::size_t rows = std::min(kMostRows, table.rows.size());
  map.rows.assign(table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(rows));
  map.columns = table.columns;
  map.values.assign(table.cells.begin(), table.cells.begin() + static_cast<std::ptrdiff_t>(rows));
  map.middle = middle;
  map.least = least;
  map.digits = digits;
  map.title = rows < table.rows.size()
                  ? fmt::format("{}, the first {} of {} rows", title, rows, table.rows.size())
                  : title;
  return output::heat_chart(map);
}

// Returns the chart of a waterfall figure, in whose table each row adds techniques to those of the rows
// above. Columns of the table: the change of the first metric by this row; the increase of the first metric
// if only this row's techniques are removed from the whole stack; all metrics.
std::optional<output::Chart> waterfall(const Table& table) {
  constexpr std::size_t kMetric = 2;
  if (table.rows.size() < 2) return std::nullopt;
  SpanChart chart;
  chart.title = table.columns[kMetric];
  double before = 1;
  for (std::size_t r = 0; r + 1 < table.rows.size(); ++r) {
    const double now = table.cells[r][kMetric];
    if (std::isnan(now)) return std::nullopt;
    chart.rows.push_back({table.rows[r], before, now, fmt::format("{:.3f}", now)});
    before = now;
  }
  if (const double product = table.cells.back()[kMetric]; !std::isnan(product)) {
    chart.line = product;
    chart.title += fmt::format("; dashed: {}, {:.3f}", table.rows.back(), product);
  }
  return output::span_chart(chart);
}

std::optional<output::Chart> tornado(const Table& table) {
  const double base = table.cells[0][0];
  if (std::isnan(base)) return std::nullopt;
  SpanChart chart;
  chart.title = fmt::format("{}; dashed: {}, {:.3f}", table.columns[0], table.rows[0], base);
  chart.line = base;
  for (std::size_t r = 1; r < table.rows.size(); ++r)
    if (const double value = table.cells[r][0]; !std::isnan(value))
      chart.rows.push_back({table.rows[r], base, value, fmt::format("{:.3f}", value)});
  if (chart.rows.empty()) return std::nullopt;
  return output::span_chart(chart);
}

// Draws, for each kernel, a bar from 1 (the base variant) to the lowest value of all variants. The bar's
// label is the variant that has this value.
std::optional<output::Chart> winners(const FigureData& data) {
  const Table& table = data.table;
  SpanChart chart;
  chart.title = data.figure->metrics.empty() ? "" : data.figure->metrics[0].label;
  const bool ratio = !data.figure->relative_to.empty();
  if (ratio) chart.line = 1;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto name = table.names.find({r, 0});
    if (name == table.names.end() || table.cells[r].size() < 2 || std::isnan(table.cells[r][1])) continue;
    const double value = table.cells[r][1];
    chart.rows.push_back(
        {table.rows[r], ratio ? 1.0 : 0.0, value, fmt::format("{:.3f} {}", value, name->second)});
  }
  if (chart.rows.empty()) return std::nullopt;
  return output::span_chart(chart);
}

// Draws a bar for each group of kernels. The bar's length is the number of kernels, and its text their names.
std::optional<output::Chart> clusters(const Table& table) {
  constexpr std::size_t kMembers = 2;
  SpanChart chart;
  chart.title = table.columns[0] + " so many kernels";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto members = table.names.find({r, kMembers});
    chart.rows.push_back(
        {table.rows[r], 0, table.cells[r][0], members == table.names.end() ? "" : members->second});
  }
  return output::span_chart(chart);
}

output::Chart front(const FigureData& data) {
  output::ChartSeries series{"variants", {}, data.table.rows};
  for (const std::vector<double>& row : data.table.cells) series.points.emplace_back(row[0], row[1]);
  return output::point_chart({data.table.columns[0], data.table.columns[1], false}, {series}, true);
}

}  // namespace

std::optional<output::Chart> stack_chart(const FigureData& data) {
  const Table& table = data.table;
  if (table.rows.empty() || table.columns.empty()) return std::nullopt;
  switch (data.figure->kind) {
    case FigureKind::pairs:
      return map_of(table, 1, 0.01, data.figure->digits, "below 1 is less, blue; above 1 is more, orange");
    case FigureKind::ranks:
      return map_of(table, (static_cast<double>(table.rows.size()) + 1) / 2, 1, 0,
                    "place, 1 is the lowest value");
    case FigureKind::front:
      return table.columns.size() < 2 ? std::nullopt : std::optional(front(data));
    case FigureKind::waterfall:
      return waterfall(table);
    case FigureKind::tornado:
      return tornado(table);
    case FigureKind::winners:
      return winners(data);
    case FigureKind::clusters:
      return clusters(table);
    default:
      return std::nullopt;
  }
}

}  // namespace heddle::experiment
