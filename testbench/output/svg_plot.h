#pragma once

// Plots as SVG, in the colours of html_page.h.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::output {

struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< x and y, by rising x
};

struct PlotAxes {
  std::string x, y;  ///< titles, with units
  bool from_zero = true;
};

/// Steps: a value holds from its x to the next one's.
std::string step_plot(const PlotAxes& axes, const std::vector<PlotSeries>& series);
/// Areas upon each other; all series have the same x.
std::string area_plot(const PlotAxes& axes, const std::vector<PlotSeries>& series);
/// Points joined by lines.
std::string line_plot(const PlotAxes& axes, const std::vector<PlotSeries>& series);

/// Bars in groups: a value, or nothing, by series and category.
struct BarPlot {
  std::vector<std::string> categories, series;
  std::vector<std::vector<std::optional<double>>> values;  ///< by series, then by category
  std::string y;
};
std::string bar_plot(const BarPlot& plot);

/// Measured beside published: a row a figure, a dot for each, a line between.
struct PairRow {
  std::string label;
  double published = 0, measured = 0;
};
std::string pair_plot(const std::string& unit, const std::vector<PairRow>& rows);

/// What rows are doing over time.
struct StateRow {
  std::string label;
  struct Span {
    double begin = 0, end = 0;
    int state = 0;
  };
  std::vector<Span> spans;
};
std::string state_plot(const std::string& x, const std::vector<std::string>& states,
                       const std::vector<std::string>& colours, const std::vector<StateRow>& rows);

}  // namespace heddle::output
