#pragma once

// Forecasts the untimed rest of a grid that is timed in order, from its first CTA. The timed windows are a
// time series: CTAs that began together come out of step, caches fill, and later CTAs may have other data.
//
// The forecast assumes that the rest lies between two cases: the rate stays at its level, or it continues on
// the regression line through the windows. The interval spans both cases, plus the prediction interval of the
// line (Student's distribution, one degree of freedom less for the level and for the slope). A few windows
// therefore forecast a few waves, and many waves need many windows. As in MSER (White 1997), the forecast
// drops the first windows, at most half of them, if this narrows the interval: they show how the machine
// fills.

#include <optional>
#include <vector>

#include "testbench/estimate/rate.h"

namespace heddle::estimate {

/// One measured window. `at`: centre of the window in the grid. Its unit is the length of a window.
struct PlacedWindow {
  double at = 0, rate = 0;
};
/// Untimed CTAs: their centre and their number, both in windows.
struct UntimedRest {
  double at = 0, windows = 0;
};

/// Returns the mean rate of `rest` with half of its 90 % confidence interval; nothing for fewer than three
/// windows, which cannot show their own deviation. `windows` are sorted by position and precede `rest`.
/// `end`: rate of a window that follows `rest`. The mean rate of `rest` then lies between the forecast and
/// this rate.
std::optional<Rate> forecast(const std::vector<PlacedWindow>& windows, const UntimedRest& rest,
                             std::optional<double> end);

/// Returns the rate that the regression line through `windows` has at `at`, with its prediction interval for
/// the mean of many CTAs. `at` need not be a position: any quantity that determines the rate will do. Returns
/// nothing for fewer than three windows, or if they do not differ in `at`.
std::optional<Rate> regression(const std::vector<PlacedWindow>& windows, double at);

}  // namespace heddle::estimate
