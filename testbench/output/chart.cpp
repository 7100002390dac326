#include "testbench/output/chart.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>

namespace heddle::output {
namespace {

namespace json = boost::json;

json::value number(double value) { return std::isfinite(value) ? json::value(value) : json::value(nullptr); }

json::array texts(const std::vector<std::string>& all) {
  json::array array;
  for (const std::string& text : all) array.emplace_back(text);
  return array;
}

// Escapes "<", so that the user's text cannot end the HTML script element.
Chart finished(const json::object& spec) {
  Chart chart;
  for (const char c : json::serialize(spec)) {
    if (c == '<')
      chart.json += "\\u003c";
    else
      chart.json += c;
  }
  return chart;
}

json::object begin(const char* kind, const std::string& x, const std::string& y) {
  json::object spec;
  spec["kind"] = kind;
  spec["title"] = x.empty() ? y : y.empty() ? x : y + " by " + x;
  spec["x"] = x;
  spec["y"] = y;
  return spec;
}

Chart curves(const char* kind, const ChartAxes& axes, const std::vector<ChartSeries>& series,
             const ChartMarks& marks, bool joined = false) {
  json::object spec = begin(kind, axes.x, axes.y);
  spec["zero"] = axes.from_zero;
  if (joined) spec["joined"] = true;
  json::array all;
  for (const ChartSeries& one : series) {
    json::array points;
    for (const auto& [x, y] : one.points) points.push_back(json::array{number(x), number(y)});
    json::object made{{"name", one.name}, {"points", std::move(points)}};
    if (!one.labels.empty()) made["labels"] = texts(one.labels);
    all.push_back(std::move(made));
  }
  spec["series"] = std::move(all);
  if (!marks.marks.empty()) {
    json::array values;
    for (const ChartMarks::Mark& mark : marks.marks)
      values.push_back(json::array{number(mark.at), number(mark.value), mark.series});
    spec["points"] = {{"name", marks.name}, {"values", std::move(values)}};
  }
  return finished(spec);
}

}  // namespace

Chart line_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, const ChartMarks& marks) {
  return curves("lines", axes, series, marks);
}
Chart step_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series) {
  return curves("steps", axes, series, {});
}
Chart area_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series) {
  return curves("areas", axes, series, {});
}
Chart point_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, bool joined) {
  return curves("points", axes, series, {}, joined);
}

Chart bar_chart(const BarChart& chart) {
  json::object spec = begin("bars", "", chart.y);
  spec["categories"] = texts(chart.categories);
  spec["series"] = texts(chart.series);
  spec["stacked"] = chart.stacked;
  if (chart.as_points) spec["points_only"] = true;
  json::array values;
  for (const auto& row : chart.values) {
    json::array one;
    for (const std::optional<double>& value : row)
      one.push_back(value ? number(*value) : json::value(nullptr));
    values.push_back(std::move(one));
  }
  spec["values"] = std::move(values);
  if (!chart.level.empty()) {
    json::array levels;
    for (const double value : chart.levels) levels.push_back(number(value));
    spec["marks"] = {{"name", chart.level}, {"values", std::move(levels)}};
  }
  if (!chart.marks.marks.empty()) {
    json::array marks;
    for (const ChartMarks::Mark& mark : chart.marks.marks)
      marks.push_back(json::array{number(mark.at), mark.series, number(mark.value)});
    spec["points"] = {{"name", chart.marks.name}, {"values", std::move(marks)}};
  }
  return finished(spec);
}

Chart pair_chart(const std::string& unit, const std::vector<PairRow>& rows) {
  json::object spec = begin("pairs", unit, "");
  json::array all;
  for (const PairRow& row : rows)
    all.push_back(
        {{"label", row.label}, {"published", number(row.published)}, {"measured", number(row.measured)}});
  spec["rows"] = std::move(all);
  return finished(spec);
}

Chart heat_chart(const HeatChart& chart) {
  json::object spec = begin("heat", "", chart.title);
  spec["rows"] = texts(chart.rows);
  spec["columns"] = texts(chart.columns);
  json::array values;
  for (const std::vector<double>& row : chart.values) {
    json::array one;
    for (const double value : row) one.push_back(number(value));
    values.push_back(std::move(one));
  }
  spec["values"] = std::move(values);
  spec["middle"] = number(chart.middle);
  spec["least"] = number(chart.least);
  spec["digits"] = chart.digits;
  return finished(spec);
}

Chart span_chart(const SpanChart& chart) {
  json::object spec = begin("spans", "", chart.title);
  json::array rows;
  for (const SpanChart::Row& row : chart.rows)
    rows.push_back(
        {{"name", row.name}, {"from", number(row.from)}, {"to", number(row.to)}, {"text", row.text}});
  spec["rows"] = std::move(rows);
  spec["line"] = chart.line ? number(*chart.line) : json::value(nullptr);
  return finished(spec);
}

Chart state_chart(const std::string& x, const std::vector<std::string>& states,
                  const std::vector<std::string>& colours, const std::vector<StateRow>& rows) {
  json::object spec = begin("states", x, "");
  spec["series"] = texts(states);
  spec["colours"] = texts(colours);
  json::array all;
  for (const StateRow& row : rows) {
    json::array spans;
    for (const StateRow::Span& span : row.spans)
      spans.push_back(json::array{number(span.begin), number(span.end), span.state});
    all.push_back({{"label", row.label}, {"spans", std::move(spans)}});
  }
  spec["rows"] = std::move(all);
  return finished(spec);
}

}  // namespace heddle::output
