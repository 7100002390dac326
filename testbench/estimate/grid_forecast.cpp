#include "testbench/estimate/grid_forecast.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace heddle::estimate {
namespace {

// A line has two parameters, so three windows leave one degree of freedom for their deviation.
constexpr std::size_t kLeastWindows = 3;

Rate forecast_from(std::span<const PlacedWindow> windows, const UntimedRest& rest) {
  const auto count = static_cast<double>(windows.size());
  double mean = 0, centre = 0, spread = 0, products = 0, squares = 0;
  for (const PlacedWindow& window : windows) {
    mean += window.rate / count;
    centre += window.at / count;
  }
  for (const PlacedWindow& window : windows) {
    spread += (window.at - centre) * (window.at - centre);
    products += (window.at - centre) * (window.rate - mean);
  }
  const double slope = products / spread, distance = rest.at - centre, drift = slope * distance;
  for (const PlacedWindow& window : windows) {
    const double residual = window.rate - mean - slope * (window.at - centre);
    squares += residual * residual;
  }
  const std::size_t freedom = windows.size() - 2;
  const double variance = squares / static_cast<double>(freedom),
               of_mean = 1 / count + 1 / std::max(1.0, rest.windows) + distance * distance / spread;
  return {mean + drift / 2, student_90(freedom) * std::sqrt(variance * of_mean) + std::abs(drift) / 2};
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
