#pragma once

// Charts of a page, as data: charts.js draws them in the reader's browser with D3, as wide as the page is. Values
// that are not finite are left out.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::output {

/// A chart's data as JSON, in a form that may stand in a page of HTML; HtmlPage::chart() takes it.
struct Chart {
  std::string json;
};

struct ChartSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< x and y, by rising x
  std::vector<std::string> labels = {};           ///< names of points: empty, or one for each
};

struct ChartAxes {
  std::string x, y;  ///< titles, with units
  bool from_zero = true;
};

/// Diamonds beside measured values, such as published ones.
struct ChartMarks {
  std::string name;
  struct Mark {
    double at = 0;           ///< a category's position, or x
    std::size_t series = 0;  ///< in a chart of bars: beside which bar
    double value = 0;
  };
  std::vector<Mark> marks;
};

/// Points joined by lines.
Chart line_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, const ChartMarks& marks = {});
/// A value holds from its x to the next one's.
Chart step_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series);
/// As steps, one upon the other; all series have the same x.
Chart area_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series);
/// Points of two measures, with their names; `joined`: by steps, in the order that they have.
Chart point_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, bool joined = false);

/// Bars by category: a value, or nothing, by series and category.
struct BarChart {
  std::vector<std::string> categories, series;
  std::vector<std::vector<std::optional<double>>> values;  ///< by series, then by category
  std::string y;                                           ///< title, with the unit
  bool stacked = false;                                    ///< series upon each other, not side by side
  std::string level = {};                                  ///< name of what a line across each category shows
  std::vector<double> levels = {};                         ///< by category, where `level` is named
  ChartMarks marks = {};
  bool as_points = false;  ///< a point on a row for each value, also where bars would do
};
Chart bar_chart(const BarChart& chart);

/// Measured beside published: a row for each figure.
struct PairRow {
  std::string label;
  double published = 0, measured = 0;
};
Chart pair_chart(const std::string& unit, const std::vector<PairRow>& rows);

/// What rows do over time.
struct StateRow {
  std::string label;
  struct Span {
    double begin = 0, end = 0;
    int state = 0;
  };
  std::vector<Span> spans;
};
/// `colours`: of the states, "s0" to "s7".
Chart state_chart(const std::string& x, const std::vector<std::string>& states,
                  const std::vector<std::string>& colours, const std::vector<StateRow>& rows);

/// A table as a map of colours.
struct HeatChart {
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> values;  ///< by row
  double middle = 1;                        ///< what has no colour
  double least = 0;                         ///< the least distance from it that has all of the colour
  int digits = 2;
  std::string title;
};
Chart heat_chart(const HeatChart& chart);

/// A row each from one value to another, with a text.
struct SpanChart {
  struct Row {
    std::string name;
    double from = 0, to = 0;
    std::string text;
  };
  std::vector<Row> rows;
  std::optional<double> line = {};  ///< across all rows
  std::string title;
};
Chart span_chart(const SpanChart& chart);

/// The script that draws all charts of a page: D3, and what is ours (charts/).
std::string chart_script();

/// A script for Node that writes charts as SVGs. `colours`: chart_colours() of a page; `pictures`: a JSON array of objects
/// with `file`, `width` (pixels) and `spec`, a chart's JSON.
std::string picture_script(const std::string& colours, const std::string& pictures);

}  // namespace heddle::output
