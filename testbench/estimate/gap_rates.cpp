#include "testbench/estimate/gap_rates.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "testbench/estimate/grid_stretches.h"
#include "testbench/estimate/rate.h"

namespace heddle::estimate {
namespace {

// Relative spread of segments per instruction up to which windows access memory equally often. Rates that are
// proportional to accesses differ by as much, which is less than the assumed deviation of windows.
constexpr double kEqualSegments = 0.01;

// A line through two points has two parameters.
constexpr std::size_t kParametersOfLine = 2;

using Windows = std::span<const StretchWindow>;

// Regression line as a weighted sum of the windows' rates: its value at a number of segments per instruction
// is the sum over weight times rate.
struct WeightedLine {
  explicit WeightedLine(Windows of) : windows(of) {
    for (const StretchWindow& window : windows) centre += window.segments / count();
    for (const StretchWindow& window : windows)
      spread += (window.segments - centre) * (window.segments - centre);
  }
  double count() const { return static_cast<double>(windows.size()); }
  bool has_slope() const { return spread > count() * kEqualSegments * kEqualSegments * centre * centre; }
  double weight(const StretchWindow& window, double at) const {
    return 1 / count() + (has_slope() ? (at - centre) * (window.segments - centre) / spread : 0);
  }
  double value(double at) const {
    double sum = 0;
    for (const StretchWindow& window : windows) sum += weight(window, at) * window.rate;
    return sum;
  }
  // Returns the difference between the line's value and a rate that is proportional to segments. Returns 0 if
  // the windows show the slope.
  double unknown_slope(double at) const {
    return has_slope() || centre == 0 ? 0 : value(at) * std::abs(at / centre - 1);
  }
  // Returns the sum of the squares of the windows' relative deviations from the line.
  double squares() const {
    double sum = 0;
    for (const StretchWindow& window : windows) {
      const double deviation = window.rate > 0 ? value(window.segments) / window.rate - 1 : 0;
      sum += deviation * deviation;
    }
    return sum;
  }
  std::size_t freedom() const { return windows.size() - std::min(windows.size(), kParametersOfLine); }

  Windows windows;
  double centre = 0, spread = 0;
};

// Returns the windows next to a gap: the last ones of the stretch before it, as many as a usual stretch has, and
// all of the stretch after it.
Windows next_to(const GapCtas& gap, Windows windows) {
  auto begin = std::find_if(windows.begin(), windows.end(),
                            [&](const StretchWindow& window) { return window.stretch > gap.stretch; });
  for (std::size_t i = 0; i < GridStretches::kWindows && begin != windows.begin(); ++i)
    if (std::prev(begin)->stretch == gap.stretch) --begin;
  const auto end =
      std::find_if(begin, windows.end(), [&](const StretchWindow& w) { return w.stretch > gap.stretch + 1; });
  return {begin, end};
}

// Returns half of the 90 % interval of a weighted sum of rates, each with the same relative deviation.
// `squares`, `freedom`: of the measured relative deviations.
double half_width_of(Windows windows, std::span<const double> weights, double squares, std::size_t freedom,
                     double usual) {
  const std::size_t known = usual > 0 ? kUsualFreedom : 0, all = std::max<std::size_t>(1, freedom + known);
  double variance = 0;
  for (std::size_t i = 0; i < windows.size(); ++i)
    variance += weights[i] * weights[i] * windows[i].rate * windows[i].rate;
  const double relative = (squares + static_cast<double>(known) * usual * usual) / static_cast<double>(all);
  return student_90(all) * std::sqrt(relative * variance);
}

}  // namespace

GapsEstimate across_gaps(const std::vector<StretchWindow>& windows, const std::vector<GapCtas>& gaps,
                         double usual) {
  GapsEstimate estimate;
  estimate.weights.resize(windows.size());
  const WeightedLine overall{windows};
  double squares = 0, shape = 0;
  std::size_t freedom = 0;
  for (const GapCtas& gap : gaps) {
    const WeightedLine line{next_to(gap, windows)};
    const auto first = static_cast<std::size_t>(line.windows.data() - windows.data());
    std::vector<double> weights;
    for (const StretchWindow& window : line.windows) {
      weights.push_back(gap.instructions * line.weight(window, gap.segments));
      estimate.weights[first + weights.size() - 1] += weights.back();
    }
    const double rate = line.value(gap.segments),
                 unknown = gap.instructions *
                           (std::abs(rate - overall.value(gap.segments)) + line.unknown_slope(gap.segments)),
                 own = line.squares();
    estimate.quantity += gap.instructions * rate;
    shape += unknown;
    estimate.doubts.push_back(half_width_of(line.windows, weights, own, line.freedom(), usual) + unknown);
    squares += own / 2;  // Nearly all windows lie next to two gaps, so their deviations count twice.
    freedom += line.freedom();
  }
  estimate.half_width = half_width_of(windows, estimate.weights, squares, freedom / 2, usual) + shape;
  return estimate;
}

}  // namespace heddle::estimate
