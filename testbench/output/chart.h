#pragma once

// Charts of an HTML page, as data. charts.js draws them with D3 in the browser. Infinite and undefined values
// are not drawn.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::output {

/// A chart's data as JSON. It has no "<", so it is safe inside an HTML page.
struct Chart {
  std::string json;
};

struct ChartSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;
  std::vector<std::string> labels = {};  ///< names of the points: empty, or one name for each point
};

struct ChartAxes {
  /// Titles of the two axes, with the units of their values.
  std::string x, y;
  bool from_zero = true;
};

/// Marks drawn as diamonds, for example for published values.
struct ChartMarks {
  std::string name;
  struct Mark {
    double at = 0;  ///< index of the category (bars), or value on the x axis (lines)
    std::size_t series = 0;
    double value = 0;
  };
  std::vector<Mark> marks;
};

Chart line_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, const ChartMarks& marks = {});
/// Draws each series as steps: a value is drawn as a horizontal line up to the next x.
Chart step_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series);
/// Draws stacked steps: all series have the same x, and their values add up.
Chart area_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series);
/// Draws points with names; each point has two measured values, x and y. `joined`: steps connect the points
/// in the order of the list.
Chart point_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, bool joined = false);

struct BarChart {
  std::vector<std::string> categories, series;
  /// For each series, the values of all categories.
  std::vector<std::vector<std::optional<double>>> values;
  std::string y;
  bool stacked = false;    ///< The bars of a category are stacked instead of side by side.
  std::string level = {};  ///< name of the values `levels`; a line across each category shows one value
  std::vector<double> levels = {};
  ChartMarks marks = {};
  bool as_points = false;  ///< Draws each value as a point on its category's row, instead of a bar.
};
Chart bar_chart(const BarChart& chart);

/// A row of a chart that shows a published number next to the measured number.
struct PairRow {
  std::string label;
  double published = 0, measured = 0;
};
Chart pair_chart(const std::string& unit, const std::vector<PairRow>& rows);

/// States over time, one row for each unit or warp.
struct StateRow {
  std::string label;
  struct Span {
    double begin = 0, end = 0;
    int state = 0;
  };
  std::vector<Span> spans;
};
Chart state_chart(const std::string& x, const std::vector<std::string>& states,
                  const std::vector<std::string>& colours, const std::vector<StateRow>& rows);

struct HeatChart {
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> values;
  double middle = 1;
  double least = 0;  ///< a cell with the full colour differs from `middle` by at least this
  int digits = 2;
  std::string title;
};
Chart heat_chart(const HeatChart& chart);

/// A chart of labelled ranges. Each row draws the range between two values, with a text next to it.
struct SpanChart {
  struct Row {
    std::string name;
    double from = 0, to = 0;
    std::string text;
  };
  std::vector<Row> rows;
  std::optional<double> line = {};  ///< draws this value as a line across all rows, in the background
  std::string title;
};
Chart span_chart(const SpanChart& chart);

std::string chart_script();

/// Returns a script for Node.js that writes charts as SVG files. `pictures`: a JSON array of objects with
/// `file`, `width` (pixels) and `spec`, the JSON of a chart.
std::string picture_script(const std::string& colours, const std::string& pictures);

}  // namespace heddle::output
