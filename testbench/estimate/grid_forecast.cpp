#include "testbench/estimate/grid_forecast.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace heddle::estimate {
namespace {

// Minimum number of windows for a forecast. A line has two parameters, so three windows leave one degree of
// freedom for the deviation.
constexpr std::size_t kLeastWindows = 3;

struct Line {
  double mean = 0, centre = 0, slope = 0, spread = 0;
  double variance = 0;  ///< variance of single windows around the line
};

Line line_through(std::span<const PlacedWindow> windows) {
  Line line;
  const auto count = static_cast<double>(windows.size());
  for (const PlacedWindow& window : windows) {
    line.mean += window.rate / count;
    line.centre += window.at / count;
  }
  double products = 0, squares = 0;
  for (const PlacedWindow& window : windows) {
    line.spread += (window.at - line.centre) * (window.at - line.centre);
    products += (window.at - line.centre) * (window.rate - line.mean);
  }
  if (line.spread == 0) return line;
  line.slope = products / line.spread;
  for (const PlacedWindow& window : windows) {
    const double residual = window.rate - line.mean - line.slope * (window.at - line.centre);
    squares += residual * residual;
  }
  line.variance = squares / static_cast<double>(windows.size() - 2);
  return line;
}

// Predicts the mean rate of `others` untimed windows, whose mean position is `at`, by the regression line.
// Returns it with half the width of its 90 % interval. `count`: number of windows from which the line was
// computed.
Rate rate_at(const Line& line, double at, std::size_t count, double others) {
  const double distance = at - line.centre,
               of_mean = 1 / static_cast<double>(count) + 1 / others + distance * distance / line.spread;
  return {line.mean + line.slope * distance, student_90(count - 2) * std::sqrt(line.variance * of_mean)};
}

Rate forecast_from(std::span<const PlacedWindow> windows, const UntimedRest& rest) {
  const Line line = line_through(windows);
  const Rate rate = rate_at(line, rest.at, windows.size(), std::max(1.0, rest.windows));
  const double drift = rate.value - line.mean;
  return {line.mean + drift / 2, rate.half_width + std::abs(drift) / 2};
}

}  // namespace

std::optional<Rate> forecast(const std::vector<PlacedWindow>& windows, const UntimedRest& rest,
                             std::optional<double> end) {
  std::optional<Rate> best;
  for (std::size_t dropped = 0; 2 * dropped <= windows.size() && windows.size() >= dropped + kLeastWindows;
       ++dropped) {
    const Rate rate = forecast_from(std::span(windows).subspan(dropped), rest);
    if (!best || rate.half_width < best->half_width) best = rate;
  }
  if (!best || !end) return best;
  return Rate{(best->value + *end) / 2, std::hypot(best->half_width, (best->value - *end) / 2)};
}

}  // namespace heddle::estimate
