#pragma once

// Charts of an HTML page, as data. charts.js draws them with D3 in the reader's browser, at the page's width.
// Infinite and undefined values are left out.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::output {

/// A chart's data as JSON that is safe inside an HTML page; HtmlPage::chart() takes it.
struct Chart {
  std::string json;
};

struct ChartSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< the points of the series, sorted by x
  std::vector<std::string> labels = {};           ///< names of the points: none, or one for each point
};

struct ChartAxes {
  std::string x, y;  ///< titles of the axes, with units
  bool from_zero = true;
};

/// Diamonds next to measured values. They mark, for example, published values.
struct ChartMarks {
  std::string name;
  struct Mark {
    double at = 0;           ///< category of the mark (by index), or its x
    std::size_t series = 0;  ///< in a bar chart: index of the bar that the mark belongs to
    double value = 0;
  };
  std::vector<Mark> marks;
};

/// Chart of series whose points are joined by lines.
Chart line_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, const ChartMarks& marks = {});
/// Step chart: each value holds until the next x.
Chart step_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series);
/// Chart of stacked steps: all series have the same x, and their values add up.
Chart area_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series);
/// Points by two measures, each point with a name. `joined`: steps connect the points in their order.
Chart point_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, bool joined = false);

/// Bar chart. For each series and category, there is a bar or a gap.
struct BarChart {
  std::vector<std::string> categories, series;
  /// Values of the bars: for each series, one per category.
  std::vector<std::vector<std::optional<double>>> values;
  std::string y;                    ///< title of the value axis, with the unit
  bool stacked = false;             ///< True: the bars of a category are stacked instead of side by side.
  std::string level = {};           ///< name of the reference value that a line across each category shows
  std::vector<double> levels = {};  ///< reference value of each category; used if `level` has a name
  ChartMarks marks = {};
  bool as_points = false;  ///< True: each value is drawn as a point on a row, instead of a bar.
};
Chart bar_chart(const BarChart& chart);

/// Chart of measured values next to published ones, with a row for each figure of a paper.
struct PairRow {
  std::string label;
  double published = 0, measured = 0;
};
Chart pair_chart(const std::string& unit, const std::vector<PairRow>& rows);

/// Chart of states over time, with one row for each unit or warp.
struct StateRow {
  std::string label;
  struct Span {
    double begin = 0, end = 0;
    int state = 0;
  };
  std::vector<Span> spans;
};
/// `colours`: one colour class per state, "s0" to "s7".
Chart state_chart(const std::string& x, const std::vector<std::string>& states,
                  const std::vector<std::string>& colours, const std::vector<StateRow>& rows);

/// A table whose cells are coloured by their values.
struct HeatChart {
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> values;  ///< values of the cells, by row
  double middle = 1;                        ///< value for which a cell has no colour
  double least = 0;  ///< distance from `middle` from which on a cell has the full colour
  int digits = 2;
  std::string title;
};
Chart heat_chart(const HeatChart& chart);

/// A chart with one row for each range between two values, labelled with a text.
struct SpanChart {
  struct Row {
    std::string name;
    double from = 0, to = 0;
    std::string text;
  };
  std::vector<Row> rows;
  std::optional<double> line = {};  ///< True: this range is drawn across all rows, as a background.
  std::string title;
};
Chart span_chart(const SpanChart& chart);

/// Returns the JavaScript that draws all charts of a page: D3 and Heddle's own scripts (charts/).
std::string chart_script();

/// A script for Node that writes charts as SVGs. `colours`: chart_colours() of a page; `pictures`: a JSON array of objects
/// with `file`, `width` (pixels) and `spec`, a chart's JSON.
std::string picture_script(const std::string& colours, const std::string& pictures);

}  // namespace heddle::output
