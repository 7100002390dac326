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
  std::vector<std::pair<double, double>> points;  ///< points with rising x
  std::vector<std::string> labels = {};           ///< names of the points: empty, or one name for each point
};

struct ChartAxes {
  std::string x, y;  ///< titles, with units
  bool from_zero = true;
};

/// Diamonds next to measured values. They mark, for example, published values.
struct ChartMarks {
  std::string name;
  struct Mark {
    double at = 0;           ///< position of a category, or x of the mark
    std::size_t series = 0;  ///< index of the neighbouring bar, in a bar chart
    double value = 0;
  };
  std::vector<Mark> marks;
};

/// Points joined by lines.
Chart line_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, const ChartMarks& marks = {});
/// Step chart: a value holds until the next x.
Chart step_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series);
/// Stacked steps; all series have the same x.
Chart area_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series);
/// Points with two measures and a name each. `joined`: steps connect the points in their order.
Chart point_chart(const ChartAxes& axes, const std::vector<ChartSeries>& series, bool joined = false);

/// Bars by category: a value or nothing, by series and category.
struct BarChart {
  std::vector<std::string> categories, series;
  std::vector<std::vector<std::optional<double>>> values;  ///< values by series, then by category
  std::string y;                                           ///< title, with the unit
  bool stacked = false;                                    ///< stacked series instead of side by side
  std::string level = {};           ///< name of the value that is drawn as a line across each category
  std::vector<double> levels = {};  ///< value of that line by category, if `level` has a name
  ChartMarks marks = {};
  bool as_points = false;  ///< True: each value is a point on a row, instead of a bar.
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
/// `colours`: one per state, "s0" to "s7".
Chart state_chart(const std::string& x, const std::vector<std::string>& states,
                  const std::vector<std::string>& colours, const std::vector<StateRow>& rows);

/// A table as a colour map.
struct HeatChart {
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> values;  ///< values by row
  double middle = 1;                        ///< value that is drawn without colour
  double least = 0;                         ///< least distance from `middle` that gets the full colour
  int digits = 2;
  std::string title;
};
Chart heat_chart(const HeatChart& chart);

/// One row for each range between two values, with a text.
struct SpanChart {
  struct Row {
    std::string name;
    double from = 0, to = 0;
    std::string text;
  };
  std::vector<Row> rows;
  std::optional<double> line = {};  ///< True: the range is drawn across all rows.
  std::string title;
};
Chart span_chart(const SpanChart& chart);

/// The script that draws all charts of a page: D3 and Heddle's own (charts/).
std::string chart_script();

/// A script for Node that writes charts as SVGs. `colours`: chart_colours() of a page; `pictures`: a JSON array of objects
/// with `file`, `width` (pixels) and `spec`, a chart's JSON.
std::string picture_script(const std::string& colours, const std::string& pictures);

}  // namespace heddle::output
